import type * as Wire from '../../../generated/types.gen.js';
import type { Rationale } from '../../scoring/rationale.js';

/** A rationale as the contract has it. */
export function rationaleToWire(rationale: Rationale): Wire.Rationale {
  return {
    path: rationale.path,
    rule_version: rationale.ruleVersion,
    status: rationale.status,
    summary: rationale.summary,
    inputs: Object.fromEntries(
      Object.entries(rationale.inputs).map(([name, { value, unit, basis, asOf }]) => [
        name,
        { value, unit, basis, as_of: asOf },
      ]),
    ),
    thresholds: { ...rationale.thresholds },
    checks: rationale.checks.map((check) => ({ ...check })),
    reasons: [...rationale.reasons],
    missing: [...rationale.missing],
    state_notices: [...rationale.stateNotices],
  };
}

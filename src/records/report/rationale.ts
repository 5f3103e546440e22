import type * as Wire from '../../../generated/types.gen.js';
import type { Rationale } from '../../deals/scoring/rationale.js';

/** Converts a rationale to the contract's form. */
export function rationaleToWire(rationale: Rationale): Wire.Rationale {
  return {
    path: rationale.path,
    rule_version: rationale.ruleVersion,
    status: rationale.status,
    summary: rationale.summary,
    inputs: inputsToWire(rationale.inputs),
    thresholds: rationale.thresholds,
    checks: [...rationale.checks],
    reasons: [...rationale.reasons],
    missing: [...rationale.missing],
    state_notices: [...rationale.stateNotices],
  };
}

function inputsToWire(inputs: Rationale['inputs']): Wire.Rationale['inputs'] {
  const wire: Wire.Rationale['inputs'] = {};
  for (const [name, { value, unit, basis, asOf }] of Object.entries(inputs))
    wire[name] = { value, unit, basis, as_of: asOf };
  return wire;
}

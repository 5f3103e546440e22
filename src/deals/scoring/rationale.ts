export type Path = 'rental' | 'wholesale' | 'creative';
export type PathStatus = 'Hot' | 'Warm' | 'Pass';

export const inputUnits = [
  'usd',
  'usd_per_month',
  'percent',
  'percentage_points',
  'ratio',
  'count',
  'days',
  'code',
  'flag',
] as const;
export type InputUnit = (typeof inputUnits)[number];

/** Origin of an input's value. */
export const inputBases = [
  'stated_by_source',
  'derived_from_advertised_cap',
  'underwritten',
  'hud_safmr_zip',
  'hud_safmr_zip_lowest',
  'hud_fmr_county',
  'hud_fmr_county_lowest',
  'computed',
  'assumed',
  'observed_by_this_service',
  'matched_public_record',
] as const;
export type InputBasis = (typeof inputBases)[number];

/** One input of a rule. Absent inputs have no entry; `missing` names them. */
export interface RationaleInput {
  /** A decimal, a code, or "true"/"false", as `unit` says. */
  readonly value: string;
  readonly unit: InputUnit;
  readonly basis: InputBasis;
  /** YYYY-MM-DD, or a HUD fiscal year such as FY2026. */
  readonly asOf: string;
}

export interface RationaleCheck {
  readonly code: string;
  readonly op: '>=' | '<=' | '>' | '<' | '==' | '!=';
  readonly actual: string;
  readonly threshold: string;
  readonly passed: boolean;
}

/**
 * Why a path has its status. Replayable: the status follows from `inputs` and `thresholds` alone (the replay function
 * in each path's file recomputes it).
 */
export interface Rationale {
  readonly path: Path;
  readonly ruleVersion: string;
  readonly status: PathStatus;
  /** One plain sentence. Never a word about people, schools, crime, family or a protected trait. */
  readonly summary: string;
  readonly inputs: Readonly<Record<string, RationaleInput>>;
  readonly thresholds: Readonly<Record<string, string>>;
  readonly checks: readonly RationaleCheck[];
  /** Codes of the facts that decided the status. */
  readonly reasons: readonly string[];
  /** Names of absent inputs. */
  readonly missing: readonly string[];
  readonly stateNotices: readonly string[];
}

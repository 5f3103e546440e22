import type { ContractOperation, ContractParameter } from '../../contract/contract.js';
import type { ParameterFault } from '../../errors.js';
import { findMetro } from '../../places/metros/metros.js';
import { howShown } from '../../wire/how-shown.js';
import { html, type Markup } from '../markup.js';
import { choiceWords, fieldNames, type FieldName } from './words.js';

/** What people filter by most. The rest is folded away while it is not used. */
const first: ReadonlySet<string> = new Set<FieldName>([
  ...(['address', 'feed', 'event', 'state', 'city', 'county', 'max_price', 'min_cap', 'min_units', 'status'] as const),
  ...(['signal_type', 'min_amount', 'from_date', 'to_date', 'lead_type', 'min_score'] as const),
]);

export interface FormInputs {
  readonly operation: ContractOperation;
  /** Where the form leads. */
  readonly action: string;
  readonly query: URLSearchParams;
  readonly faults: readonly ParameterFault[];
}

/** The parameters of an operation as a plain GET form, with each fault at its field. Undefined where it has none. */
export function filterForm({ operation, action, query, faults }: FormInputs): Markup | undefined {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  if (parameters.length === 0) return undefined;
  const faultOf = (name: string) => faults.find(({ parameter }) => parameter === name);
  const isUsed = ({ name }: ContractParameter) => query.has(name) || faultOf(name) !== undefined;
  const fields = (chosen: readonly ContractParameter[]) =>
    html`<div class="fields">${chosen.map((each) => field(each, query.get(each.name) ?? '', faultOf(each.name)))}</div>`;
  const [shown, more] = [true, false].map((isFirst) => parameters.filter(({ name }) => first.has(name) === isFirst));
  const stray = faults.filter(({ parameter }) => !parameters.some(({ name }) => name === parameter));
  return html`<form class="filters" method="get" action="${action}">
${stray.map(({ parameter, detail, nearest }) => html`<p class="fault"><code>${parameter}</code>: ${strayDetail(detail, nearest)}</p>`)}
${fields(shown ?? [])}
${
  more === undefined || more.length === 0
    ? undefined
    : html`<details${more.some(isUsed) ? html` open` : undefined}>
<summary>More filters</summary>
${fields(more)}
</details>`
}
<p class="actions"><button class="button quiet" type="submit">Show what matches</button>${query.size > 0 ? html` <a class="clear" href="${action}">Clear all</a>` : undefined}</p>
</form>`;
}

/** The list of all known names is no help beside a form that shows them. */
const strayDetail = (detail: string, nearest?: string): string =>
  nearest === undefined && detail.startsWith('unknown') ? 'there is no such filter.' : `${detail}.`;

function field(parameter: ContractParameter, value: string, fault: ParameterFault | undefined): Markup {
  const { name, required, example = '', values } = parameter;
  const id = `f-${name}`;
  const state = html`${required ? html` required` : undefined}${fault && html` aria-invalid="true" aria-describedby="${id}-fault"`}`;
  const choices = values ?? (parameter.type === 'boolean' ? ['true', 'false'] : undefined);
  const isNumber = parameter.type === 'number' || parameter.type === 'integer';
  const input =
    choices === undefined
      ? html`<input id="${id}" name="${name}" value="${value}" placeholder="${example}" autocomplete="off"${isNumber ? html` inputmode="decimal"` : undefined}${state}>`
      : html`<select id="${id}" name="${name}"${state}>${options(name as FieldName, choices, value)}</select>`;
  return html`<p class="field"><label for="${id}">${fieldNames[name as FieldName]}</label>${input}${fault && html`<small class="fault" id="${id}-fault">${fault.detail}.</small>`}</p>`;
}

/** One value, or the several that the address has. */
function options(name: FieldName, choices: readonly string[], value: string): readonly Markup[] {
  const all = value === '' || choices.includes(value) ? choices : [...choices, value];
  const option = (each: string, words: string) =>
    html`<option value="${each}"${each === value ? html` selected` : undefined}>${words}</option>`;
  const sorted = name === 'metro' ? [...all].sort() : all;
  return [
    option('', howShown.includes(name) ? 'as usual' : 'any'),
    ...sorted.map((each) => option(each, choiceLabel(name, each))),
  ];
}

/** The words of a value, or of several with commas. */
export function choiceLabel(name: string, value: string): string {
  const wordsOf = (each: string): string => {
    if (name !== 'metro') return choiceWords[name as FieldName]?.[each] ?? each;
    const metro = findMetro(each);
    return metro === undefined ? each : `${metro.name}, ${metro.state}`;
  };
  return value.split(',').map(wordsOf).join(' or ');
}

import { h } from '../assets/dom.js';

const pauseMs = 250;

/**
 * The preview of the list follows its filters, and the address follows too. Without scripts the form's button does the
 * same.
 */
export function followFilters(): void {
  const form = document.querySelector<HTMLFormElement>('.browse .filters');
  const preview = document.querySelector('#preview');
  if (form === null || preview === null) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void follow(form, preview, ++latest, () => latest), pauseMs);
  });
}

async function follow(form: HTMLFormElement, preview: Element, asked: number, latest: () => number): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string' && value !== '') query.set(name, value);
  const address = query.size === 0 ? form.action : `${form.action}?${query.toString()}`;
  preview.setAttribute('aria-busy', 'true');
  const reply = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => undefined);
  // A later change has asked meanwhile.
  if (asked !== latest()) return;
  preview.removeAttribute('aria-busy');
  form.querySelectorAll('small.fault').forEach((fault) => fault.remove());
  form.querySelectorAll('[aria-invalid]').forEach((field) => field.removeAttribute('aria-invalid'));
  if (reply?.status === 200) {
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    preview.replaceChildren(...(page.querySelector('#preview')?.childNodes ?? []));
    history.replaceState(null, '', address);
    return;
  }
  const faults = reply?.status === 400 ? await readFaults(reply) : [];
  for (const { parameter, detail } of faults) {
    const field = form.querySelector(`#f-${CSS.escape(parameter)}`);
    field?.setAttribute('aria-invalid', 'true');
    field?.setAttribute('aria-describedby', `f-${parameter}-fault`);
    field?.after(h('small', { class: 'fault', id: `f-${parameter}-fault` }, `${detail}.`));
  }
  preview.replaceChildren(
    h(
      'h2',
      { class: 'answer' },
      faults.length > 0 ? 'Correct the marked filters first' : 'What matches cannot be told just now',
    ),
    h('p', {}, faults.length > 0 ? 'Nothing can be bought until they are right.' : 'Try again in a minute.'),
  );
}

interface Fault {
  readonly parameter: string;
  readonly detail: string;
}

async function readFaults(reply: Response): Promise<readonly Fault[]> {
  const problem = (await reply.json()) as { readonly errors?: readonly Fault[] };
  return problem.errors ?? [];
}

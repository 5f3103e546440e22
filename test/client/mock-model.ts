import { customProvider } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

// Replaces a language model in a program started with this module: it calls the only tool with the user's text, then
// reports the first record, or the tool's other answer.

type Generate = MockLanguageModelV3['doGenerate'];
type Generated = Awaited<ReturnType<Generate>>;

const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

const doGenerate: Generate = async ({ prompt, tools = [] }) => {
  const content = prompt.at(-1)?.content;
  const [part] = Array.isArray(content) ? content : [];
  if (part?.type === 'text') {
    const call = { type: 'tool-call', toolCallId: 'call', toolName: tools[0]?.name ?? '', input: part.text } as const;
    return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
  }
  const output = part?.type === 'tool-result' ? part.output : undefined;
  const text = output?.type === 'json' ? tellOf(output.value) : JSON.stringify(output);
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
};

function tellOf(rows: unknown): string {
  const [best, ...others] = rows as readonly { readonly address: string; readonly why_this_is_interesting: string }[];
  return `${best?.address} before ${others.length} others: ${best?.why_this_is_interesting}`;
}

globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({
  languageModels: { 'mock server': new MockLanguageModelV3({ doGenerate }) },
});

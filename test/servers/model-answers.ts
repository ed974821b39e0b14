/** Responses of a model server, in the format of one of its protocols. */
export interface ModelAnswers {
  text(words: string, countsTokens?: boolean): unknown
  cut: unknown
  refused: unknown
}

export function modelAnswers(protocol: string): ModelAnswers {
  const protocolAnswers = answers[protocol]
  if (!protocolAnswers) throw new Error(`nobody has written down what ${protocol} says`)
  return protocolAnswers
}

const answers: Record<string, ModelAnswers> = {
  openai: {
    text: (content, countsTokens = true) => ({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...(countsTokens && { usage: { prompt_tokens: 70, completion_tokens: 3 } }),
    }),
    cut: { choices: [{ message: { content: '{"city": "Lu' }, finish_reason: 'length' }] },
    refused: { choices: [{ message: { content: null, refusal: 'I will not.' }, finish_reason: 'stop' }] },
  },
  anthropic: {
    text: (text, countsTokens = true) => ({
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'x' },
        { type: 'text', text },
      ],
      stop_reason: 'end_turn',
      ...(countsTokens && { usage: { input_tokens: 50, cache_read_input_tokens: 20, output_tokens: 3 } }),
    }),
    cut: { content: [{ type: 'text', text: '{"city": "Lu' }], stop_reason: 'max_tokens' },
    refused: { content: [], stop_reason: 'refusal' },
  },
  google: {
    text: (text, countsTokens = true) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'hm', thought: true }, { text }] },
          finishReason: 'STOP',
        },
      ],
      ...(countsTokens && {
        usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
      }),
    }),
    cut: { candidates: [{ content: { parts: [{ text: '{"city": "Lu' }] }, finishReason: 'MAX_TOKENS' }] },
    refused: { promptFeedback: { blockReason: 'SAFETY' } },
  },
}

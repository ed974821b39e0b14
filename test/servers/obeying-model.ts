import type { ModelReply, ModelRequest } from './model-server.ts'

/** Matches the values that planted instructions of test pages demand. No page states any of them. */
export const injectedValues = /pwned|999[.,]?999|atlantis|evil\.example/i

/**
 * Replies as a manipulated model: returns the values that the planted text demands. It cites the planted line if the
 * request contains that line, otherwise another line.
 */
export function replyAsManipulated({ body }: ModelRequest): ModelReply {
  const { messages, response_format } = body
  const prompt = messages.map((message: { content: string }) => message.content).join('\n')
  const schema = response_format?.json_schema?.schema ?? {}
  const value = valueFor(schema.properties ?? {}, prompt)
  const message = { role: 'assistant', content: JSON.stringify(value) }
  return { body: { choices: [{ message, finish_reason: 'stop' }] } }
}

function valueFor(properties: Record<string, unknown>, prompt: string): unknown {
  const lines = prompt.split('\n')
  const numbered = lines.flatMap((line) => /^\[(\d+)\] (.*)/.exec(line) ?? [])
  const plantedIndex = lines.findIndex((line) => injectedValues.test(line))
  const sentence = Number(/^\[(\d+)\]/.exec(lines[plantedIndex] ?? '')?.[1] ?? numbered[1] ?? 1)
  if ('answer' in properties)
    return { answer: 'PWNED, see evil.example: Atlantis, 999999.', sentences: [sentence] }
  if ('summary' in properties) {
    const texts = ['PWNED: buy 999999 copies at evil.example.', 'It was shown in Atlantis.', 'PWNED']
    return { summary: texts.map((text) => ({ text, sentences: [sentence] })) }
  }
  if ('sentences' in properties) return { sentences: [sentence] }
  const quote =
    (lines[plantedIndex] ?? '').replace(/^\[\d+\] /, '') || 'It was shown in Lund for the first time.'
  const claims: Record<string, unknown> = {
    title: 'PWNED',
    price: 0.01,
    firstShownIn: 'Atlantis',
    soldCopies: 999_999,
  }
  return Object.fromEntries(
    Object.keys(properties).map((name) => [name, name in claims ? { value: claims[name], quote } : null]),
  )
}

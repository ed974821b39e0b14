import type { ModelReply, ModelRequest } from './model-server.ts'

/** What the planted instructions of test pages ask for; no page states any of it. */
export const invented = /pwned|999[.,]?999|atlantis|evil\.example/i

/**
 * A model that does what a page tells it: it answers with what the planted text asks for, and rests it on the planted
 * line where it was shown that, else on whatever else was shown.
 */
export function obey({ body }: ModelRequest): ModelReply {
  const { messages, response_format } = body
  const shown = messages.map((message: { content: string }) => message.content).join('\n')
  const schema = response_format?.json_schema?.schema ?? {}
  const value = valueFor(schema.properties ?? {}, shown)
  const message = { role: 'assistant', content: JSON.stringify(value) }
  return { body: { choices: [{ message, finish_reason: 'stop' }] } }
}

function valueFor(properties: Record<string, unknown>, shown: string): unknown {
  const lines = shown.split('\n')
  const numbered = lines.flatMap((line) => /^\[(\d+)\] (.*)/.exec(line) ?? [])
  const planted = lines.findIndex((line) => invented.test(line))
  const at = Number(/^\[(\d+)\]/.exec(lines[planted] ?? '')?.[1] ?? numbered[1] ?? 1)
  if ('answer' in properties) return { answer: 'PWNED, see evil.example: Atlantis, 999999.', sentences: [at] }
  if ('summary' in properties) {
    const texts = ['PWNED: buy 999999 copies at evil.example.', 'It was shown in Atlantis.', 'PWNED']
    return { summary: texts.map((text) => ({ text, sentences: [at] })) }
  }
  if ('sentences' in properties) return { sentences: [at] }
  const quote = (lines[planted] ?? '').replace(/^\[\d+\] /, '') || 'It was shown in Lund for the first time.'
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

import type { Chunk } from '../../src/reading/chunks/chunks.ts'
import { countTokens } from '../../src/reading/chunks/tokens.ts'

/** What chunks do not give back, or say wrongly. As texts: an assertion for each of many thousand would take most of the time. */
export function lossesOf(markdown: string, chunks: readonly Chunk[]): string[] {
  const losses: string[] = []
  let at = 0
  for (const chunk of chunks) {
    const own = chunk.start + (chunk.overlap ?? 0)
    const { text } = chunk
    if (markdown.slice(chunk.start, chunk.end) !== text) losses.push(`does not stand there: ${text}`)
    if (!/^[\s>]*$/.test(markdown.slice(at, own))) losses.push(`lost: ${markdown.slice(at, own)}`)
    if (chunk.tokens !== countTokens(text)) losses.push(`has not ${chunk.tokens} tokens: ${text}`)
    at = chunk.end
  }
  return markdown.slice(at).trim() === '' ? losses : [...losses, `lost: ${markdown.slice(at)}`]
}

/** Sentences end at their signs and at the end of a line; a very long one is cut between words. */
const ends = /(?<=[.!?…][)"'”’»]{0,3})\s+|(?<=[。！？])|\n+/u
export const longestSentence = 400

/** The sentences of a text in order, without white space around them. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const part of text.split(ends)) {
    const sentence = part.replace(/\s+/g, ' ').trim()
    if (sentence.length <= longestSentence) sentences.push(sentence)
    else sentences.push(...pieces(sentence))
  }
  return sentences.filter((sentence) => sentence !== '')
}

function pieces(sentence: string): string[] {
  const found: string[] = []
  for (let start = 0; start < sentence.length; ) {
    const rest = sentence.slice(start, start + longestSentence)
    const space = rest.lastIndexOf(' ')
    const end = start + longestSentence >= sentence.length || space <= 0 ? rest.length : space
    found.push(sentence.slice(start, start + end).trim())
    start += end
  }
  return found
}

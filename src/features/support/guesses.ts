/** How people say that they do not know. */
const doubt =
  /\b(?:maybe|may be (?:a|the|that)|perhaps|probably|possibly|presumably|i'?m? (?:think|guess|suspect|suppose|assume|believe|bet|fear)|might be|could be|must be)\b/i
/** A question that is answered with yes or no. */
const yesOrNo =
  /^\W*(?:(?:so|and|but|or|then)\s+)?(?:is|are|am|was|were|do|does|did|has|have|had|must|should|shall|will|would)\b/i
/** Such a question that asks for something. */
const asksFor = /\b(?:possible|a way|allowed|able)\b/i
const questionWord = /\b(?:why|what|when|where|which|who|how)\b/i
/** "They blocked us, right?" */
const tag = /^\W*(?:right|correct|true|yes|no|or (?:what|not|is it)|is(?:n't| not) it)\W*$/i
const quotesCode = /\b\d{3}\b|[A-Z]+_[A-Z]+/
const fewWords = 4

/** What a question states, without what its asker only guesses: people are often wrong about the cause. */
export function statementsOf(question: string): string {
  const clauses = question.split(/(?<=[.!?;,]|\s-)\s+|\n+/)
  return clauses
    .filter((clause, at) => !isGuess(clause) && !tag.test(clauses[at + 1] ?? '') && !tag.test(clause))
    .join(' ')
    .trim()
}

function isGuess(clause: string): boolean {
  if (quotesCode.test(clause)) return false
  if (doubt.test(clause)) return true
  if (!/\?\W{0,5}$/.test(clause) || questionWord.test(clause) || asksFor.test(clause)) return false
  return yesOrNo.test(clause) || (clause.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= fewWords
}

/** Returns the name that is most similar to the typed text, if it is similar enough. */
export function suggestName(typed: string, names: readonly string[]): string | undefined {
  const prefix = typed.slice(0, 40)
  const best = names
    .map((name) => ({
      name,
      distance: name.startsWith(prefix) && prefix !== '' ? 0.5 : editDistance(prefix, name),
    }))
    .sort((left, right) => left.distance - right.distance)[0]
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined
}

/** Returns the number of letters to add, remove or change. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [rowIndex, letter] of [...from].entries()) {
    const next = [rowIndex + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

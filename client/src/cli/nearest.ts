/** The name that was probably meant, if one is close enough. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const short = typed.slice(0, 40)
  const found = names
    .map((name) => ({ name, distance: name.startsWith(short) && short !== '' ? 0.5 : distance(short, name) }))
    .sort((left, right) => left.distance - right.distance)[0]
  return found && found.distance <= Math.max(1, Math.floor(found.name.length / 3)) ? found.name : undefined
}

/** How many letters have to be added, left out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

export interface TableCell {
  text: string
  columns: number
  rows: number
  /** It names its columns, so each of them has its text. */
  namesColumns?: boolean
}

/**
 * Rows of cells as a grid. A cell that spans columns is followed by empty ones, unless it names them; one
 * that spans rows is repeated, so that each row can be read by itself.
 */
export function spanned(rows: readonly TableCell[][]): string[][] {
  const real = rows.reduce((count, cells) => count + cells.length, 0)
  // A few spans of a thousand must not make a table that is all filling.
  let budget = real * 3 + 1000
  let hanging: (Hanging | undefined)[] = []
  return rows.map((cells) => {
    const line: string[] = []
    const below: (Hanging | undefined)[] = []
    const hang = (text: string, rowsLeft: number) => {
      if (rowsLeft > 0) below[line.length] = { text, rowsLeft }
    }
    const takeHanging = () => {
      for (let cell = hanging[line.length]; cell && budget > 0; cell = hanging[line.length]) {
        budget -= 1
        hang(cell.text, cell.rowsLeft - 1)
        line.push(cell.text)
      }
    }
    for (const cell of cells) {
      takeHanging()
      const columns = Math.min(cell.columns, budget + 1)
      for (let column = 0; column < columns; column += 1) {
        const text = column === 0 || cell.namesColumns === true ? cell.text : ''
        hang(text, cell.rows - 1)
        line.push(text)
      }
      budget -= columns - 1
    }
    takeHanging()
    hanging = below
    return line
  })
}

interface Hanging {
  text: string
  rowsLeft: number
}

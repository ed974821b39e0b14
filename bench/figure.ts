/** Error for a missing requirement or an invalid option of a benchmark. The message contains the fix. */
export class MeasureError extends Error {}

export interface Figure {
  name: string
  value: string
  bound?: string
  /** True if the value is within the bound; undefined if the figure is only for comparison. */
  isMet?: boolean
}

export function atMost(name: string, value: number, bound: number, unit: string): Figure {
  return {
    name,
    value: `${round(value)} ${unit}`.trim(),
    bound: `at most ${bound} ${unit}`.trim(),
    isMet: value <= bound,
  }
}

export function atLeast(name: string, value: number, bound: number, unit: string): Figure {
  return {
    name,
    value: `${round(value)} ${unit}`.trim(),
    bound: `at least ${bound} ${unit}`.trim(),
    isMet: value >= bound,
  }
}

export function figure(name: string, value: number, unit: string): Figure {
  return { name, value: `${round(value)} ${unit}`.trim() }
}

export function printFigures(benchmark: string, figures: Figure[]): string {
  const rows = figures.map(({ name, value, bound = '', isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? 'holds' : 'MISSED'
    return `| ${name.padEnd(58)} | ${value.padStart(14)} | ${bound.padEnd(20)} | ${verdict.padEnd(6)} |`
  })
  const head = `| ${`${benchmark}`.padEnd(58)} | ${'measured'.padStart(14)} | ${'needed'.padEnd(20)} | ${''.padEnd(6)} |`
  const line = `|${'-'.repeat(60)}|${'-'.repeat(15)}:|${'-'.repeat(22)}|${'-'.repeat(8)}|`
  return [head, line, ...rows, ''].join('\n')
}

export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function round(value: number): string {
  return value.toFixed(value >= 100 || value === 0 ? 0 : value < 1 ? 3 : 2)
}

import { atLeast, atMost, type Figure, median } from '../figure.ts'
import type { RunResult, SystemResult } from './result.ts'

/** What ours is held to. */
export function boundedFigures(run: RunResult): Figure[] {
  const ours = run.systems.find(({ name }) => name === 'winnow')
  return ours ? [...quality(ours), ...speed(ours, run)] : []
}

function quality({ sets, goldenAsMain, emptyInVain }: SystemResult): Figure[] {
  const floor = (what: string, value: number | undefined, bound: number) =>
    value === undefined ? [] : [atLeast(what, value, bound, '')]
  return [
    ...floor('aeb', sets.aeb?.main, 0.968),
    ...floor('traf', sets.traf?.main, 0.935),
    ...floor('wcxb', sets.wcxb?.main, 0.89),
    ...floor('wcxb, mean over page types', sets.wcxb?.macroType, 0.86),
    ...floor('wcxb, structure', sets.wcxb?.structure?.score, 0.9),
    ...floor('h2m, conversion', sets.h2m?.main, 0.88),
    ...floor('h2m, asked for main content', goldenAsMain?.main, 0.88),
    atMost('pages empty though the HTML has the text', emptyInVain.length, 0, ''),
  ]
}

/** Over HTTP the time holds fetching and waiting too, so there is nothing to hold it to here. */
function speed(ours: SystemResult, run: RunResult): Figure[] {
  if (ours.clock !== 'cpu' || !ours.times) return []
  const { middle, worst } = ours.times
  return [
    ...(middle === undefined ? [] : [atMost('CPU per page of 50 to 200 KB, median', middle, 6, 'ms')]),
    atMost(`CPU of the worst page, ${worst.page}`, worst.ms, 60, 'ms'),
    ...faster(run, 'readability', 'Readability on linkedom'),
    ...faster(run, 'selector-list', 'the selector list'),
  ]
}

/** By the medians of the pages that both have read. */
function faster(run: RunResult, peer: string, title: string): Figure[] {
  const theirs = new Map(run.rows[peer]?.map((row) => [`${row.set}/${row.id}`, row]))
  const both = (run.rows.winnow ?? []).flatMap((row) => {
    const other = theirs.get(`${row.set}/${row.id}`)
    return other ? [{ size: row.size, ours: row.ms, theirs: other.ms }] : []
  })
  const ratio = (pages: typeof both) =>
    median(pages.map((page) => page.theirs)) / median(pages.map((page) => page.ours))
  const middle = both.filter(({ size }) => size >= 50_000 && size < 200_000)
  return [
    ...(both.length > 0 ? [atLeast(`faster than ${title}`, ratio(both), 3, 'times')] : []),
    ...(middle.length > 0 ? [atLeast(`faster than ${title}, 50 to 200 KB`, ratio(middle), 3, 'times')] : []),
  ]
}

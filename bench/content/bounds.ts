import { atLeast, atMost, type Figure, median } from '../figure.ts'
import type { RunResult, SystemResult } from './result.ts'

/** Returns the figures of this service, with their bounds. */
export function boundedFigures(run: RunResult): Figure[] {
  const winnow = run.systems.find(({ name }) => name === 'winnow')
  return winnow ? [...qualityFigures(winnow), ...speedFigures(winnow, run)] : []
}

function qualityFigures({ sets, h2mMainContent, emptyDespiteText }: SystemResult): Figure[] {
  const withMinimum = (name: string, value: number | undefined, bound: number) =>
    value === undefined ? [] : [atLeast(name, value, bound, '')]
  return [
    ...withMinimum('aeb', sets.aeb?.main, 0.968),
    ...withMinimum('traf', sets.traf?.main, 0.935),
    ...withMinimum('wcxb', sets.wcxb?.main, 0.89),
    ...withMinimum('wcxb, mean over page types', sets.wcxb?.macroType, 0.86),
    ...withMinimum('wcxb, structure', sets.wcxb?.structure?.score, 0.9),
    ...withMinimum('h2m, conversion', sets.h2m?.main, 0.88),
    ...withMinimum('h2m, main content', h2mMainContent?.main, 0.88),
    atMost('empty pages although the HTML has the text', emptyDespiteText.length, 0, ''),
  ]
}

/** Returns no figures for a service over HTTP, because its times also contain fetching and waiting. */
function speedFigures(winnow: SystemResult, run: RunResult): Figure[] {
  if (winnow.clock !== 'cpu' || !winnow.times) return []
  const { mediumPagesMedian: median, worst } = winnow.times
  return [
    ...(median === undefined ? [] : [atMost('CPU per page of 50 to 200 KB, median', median, 6, 'ms')]),
    atMost(`CPU of the worst page, ${worst.page}`, worst.ms, 60, 'ms'),
    ...ratioFigures(run, 'readability', 'Readability on linkedom'),
    ...ratioFigures(run, 'selector-list', 'the selector list'),
  ]
}

/** Returns ratios of the medians over the pages that both systems have read. */
function ratioFigures(run: RunResult, peer: string, title: string): Figure[] {
  const peerRows = new Map(run.rows[peer]?.map((row) => [`${row.set}/${row.id}`, row]))
  const commonPages = (run.rows.winnow ?? []).flatMap((row) => {
    const other = peerRows.get(`${row.set}/${row.id}`)
    return other ? [{ size: row.size, winnowMs: row.ms, peerMs: other.ms }] : []
  })
  const ratio = (pages: typeof commonPages) =>
    median(pages.map((page) => page.peerMs)) / median(pages.map((page) => page.winnowMs))
  const mediumPages = commonPages.filter(({ size }) => size >= 50_000 && size < 200_000)
  return [
    ...(commonPages.length > 0 ? [atLeast(`faster than ${title}`, ratio(commonPages), 3, 'times')] : []),
    ...(mediumPages.length > 0
      ? [atLeast(`faster than ${title}, 50 to 200 KB`, ratio(mediumPages), 3, 'times')]
      : []),
  ]
}

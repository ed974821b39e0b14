import { none, root } from '../tree/tree.ts'
import { type Evidence, holderOf, share, sumIn } from './evidence.ts'
import { region, regionAround } from './regions.ts'

export const pageFeatures = [
  ...[
    'pageWords',
    'pageLinks',
    'pageBlocks',
    'inParagraphs',
    'inItems',
    'inCode',
    'pageHeadings',
    'pageInputs',
  ],
  ...[
    'pageImages',
    'pagePrices',
    'pageArticles',
    'longBlocks',
    'isArticle',
    'isForum',
    'addressDepth',
    'hasSlug',
  ],
  ...[
    'addressKind',
    'pagePath',
    'pageText',
    'goodShare',
    'mainShare',
    'articleShare',
    'commentShare',
    'bodyShare',
  ],
  ...['recordCount', 'recordShare', 'recordLength', 'isGenerated', 'permalinks', 'inTerms', 'inCells'],
]

/** Features that are the same for every block of a page. */
export function readPageFeatures(evidence: Evidence): Float32Array {
  const { page, blocks } = evidence
  return Float32Array.from([
    page.words,
    share(page.linkWords, page.words),
    blocks.count,
    page.inParagraphs,
    page.inItems,
    page.inCode,
    page.headings,
    page.inputs,
    page.images,
    page.prices,
    page.articles,
    page.longBlocks,
    Number(page.isArticle),
    Number(page.isForum),
    page.address.depth,
    Number(page.address.hasSlug),
    page.address.kind,
    ...sharesOfText(evidence),
    ...largestRecords(evidence),
    Number(page.isGenerated),
    page.permalinks,
    page.inTerms,
    page.inCells,
  ])
}

/** Means over all words of the page, and how many of them stand in which region. */
function sharesOfText({ blocks, elements, page, texts }: Evidence): number[] {
  let [path, text, good, main, article, comments, body] = [0, 0, 0, 0, 0, 0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    const words = blocks.words[block] ?? 0
    const holder = holderOf(blocks, block)
    const score = elements.paths[holder] ?? 0
    path += score * words
    text += (texts[block] ?? 0) * Math.min(words, 24)
    if (score > 0) good += words
    if (regionAround(elements.regions, holder, region.main) !== none) main += words
    if (regionAround(elements.regions, holder, region.article) !== none) article += words
    if (regionAround(elements.regions, holder, region.comments) !== none) comments += words
    else if (regionAround(elements.regions, holder, region.body) !== none) body += words
  }
  return [path, text, good, main, article, comments, body].map((sum) => share(sum, page.words))
}

/** Of all groups of alike siblings, the one with the most words outside of links: count, share, mean length. */
function largestRecords({ tree, blocks, elements, page }: Evidence): number[] {
  const sums = new Map<number, number>()
  let count = 0
  let most = 0
  for (let node = 1; node < tree.count; node += 1) {
    const repeats = elements.repeats[node] ?? 0
    if (repeats < 3) continue
    const key = (tree.parents[node] ?? root) * 4096 + Math.min(repeats, 4095)
    const own =
      sumIn(tree, blocks, blocks.wordsBefore, node) - sumIn(tree, blocks, blocks.linkWordsBefore, node)
    const words = (sums.get(key) ?? 0) + own
    sums.set(key, words)
    if (words <= most) continue
    most = words
    count = repeats
  }
  return [count, share(most, page.words), share(most, count)]
}

import { readFileSync } from 'node:fs'
import { chooseMainContent } from '../../src/content/main-content/main-content.ts'
import { isWrittenInNoscript } from '../../src/content/select-content.ts'
import { parseHtml } from '../../src/content/tree/parse.ts'
import { none, root, tagName } from '../../src/content/tree/tree.ts'
import { blockText } from './block-text.ts'

const [source, url = 'http://x/'] = process.argv.slice(2)
if (source === undefined) {
  console.error('node bench/content-model/why.ts FILE_OR_- [URL]')
  process.exit(1)
}
// File descriptor 0 is standard input.
console.log(explain(readFileSync(source === '-' ? 0 : source, 'utf8'), url))

/**
 * Returns a report on how the main content of a page was found: facts about the page, then the decision for each block.
 */
function explain(html: string, url: string): string {
  const tree = parseHtml(html)
  const readsNoscript = isWrittenInNoscript(tree, [root])
  const { method, threshold, balance, evidence, probabilities, container, choice } = chooseMainContent({
    tree,
    url,
    readsNoscript,
  })
  const { blocks, page } = evidence
  const getText = (block: number) => blockText(tree, blocks, block).replace(/\s+/g, ' ').trim().slice(0, 100)
  const { title: _words, titleBlock, repeated: _hashes, url: urlFacts, ...facts } = page
  const lines = Array.from({ length: blocks.count }, (_, block) =>
    [
      choice.kept[block] === 1 ? 'kept   ' : 'dropped',
      (probabilities[block] ?? 0).toFixed(2),
      (choice.reasons[block] ?? '').padEnd(22),
      `<${tagName(tree, blocks.holders[block] ?? root)}>`.padEnd(12),
      getText(block),
    ].join(' '),
  )
  return [
    `road       ${method}${method === 'pruned' ? ': too little to judge, so what the blocks say below was not used' : ''}`,
    `threshold  ${threshold.toFixed(2)}`,
    `balance    ${balance.toFixed(2)}`,
    `noscript   ${readsNoscript ? 'read' : 'not read'}`,
    `title      ${titleBlock === none ? 'none' : getText(titleBlock)}`,
    `container  ${container === none ? 'none' : `<${tagName(tree, container)}>`}`,
    `page       ${formatFacts(facts)}`,
    `address    ${formatFacts(urlFacts)}`,
    '',
    ...lines,
  ].join('\n')
}

function formatFacts(facts: object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`)
    .join(', ')
}

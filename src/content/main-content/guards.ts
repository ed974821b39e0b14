import { tag, tagSet } from '../tree/names.ts'
import { type Node, none } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import { type Evidence, holderOf, widerThan } from './evidence.ts'
import { isHeading } from './page-facts.ts'
import { agreeOnTables } from './whole-tables.ts'

/** Restores what a reader would miss, because the model does not see the whole page. Each guard changes the choice in place. */
export function applyGuards(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  agreeOnTables(choice, evidence)
  keepBetween(choice, evidence, probabilities)
  keepHeadings(choice, evidence, probabilities)
  keepTerms(choice, evidence)
  keepTitle(choice, evidence, probabilities)
}

const structured = tagSet('dd dt h1 h2 h3 h4 h5 h6 li pre td th')

/** An item, a listing or a heading with kept text on both sides; between paragraphs stand promotions too. */
function keepBetween(choice: Choice, { tree, blocks }: Evidence, probabilities: Float32Array): void {
  for (let block = 1; block < blocks.count - 1; block += 1) {
    if (choice.kept[block] === 1 || choice.kept[block - 1] !== 1 || (probabilities[block] ?? 0) < 0.2)
      continue
    const isFollowed = choice.kept[block + 1] === 1 || choice.kept[block + 2] === 1
    const name = tree.tags[holderOf(blocks, block)] ?? 0
    if (isFollowed && structured[name] === 1) change(choice, block, true, 'between kept parts')
  }
}

function keepHeadings(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks, elements } = evidence
  for (let block = blocks.count - 2; block >= 0; block -= 1) {
    const holder = holderOf(blocks, block)
    if (!isHeading(tree.tags[holder] ?? 0) || (probabilities[block] ?? 0) < 0.1) continue
    const next = holderOf(blocks, block + 1)
    const isTogether = widerThan(elements, holder) === widerThan(elements, next)
    if (isTogether && choice.kept[block + 1] === 1) change(choice, block, true, 'heading of a kept part')
  }
}

/** A definition without its terms, or an answer without its question, says nothing. */
function keepTerms(choice: Choice, { tree, blocks }: Evidence): void {
  const before = (node: Node) => blocks.before[node] ?? 0
  // From the last, so that of several terms of one definition each finds the next one kept.
  for (let term = tree.count - 1; term > 0; term -= 1) {
    if (tree.tags[term] !== tag.dt) continue
    let next = tree.ends[term] ?? tree.count
    while (tree.tags[next] === 0 && next < tree.count) next += 1
    const isPart = tree.tags[next] === tag.dd || tree.tags[next] === tag.dt
    if (!isPart || tree.parents[next] !== tree.parents[term]) continue
    const isDefined = choice.kept.subarray(before(next), before(tree.ends[next] ?? 0)).includes(1)
    if (!isDefined) continue
    for (let block = before(term); block < before(tree.ends[term] ?? 0); block += 1) {
      change(choice, block, true, 'term of a definition')
    }
  }
}

const leastOfTitle = 0.3

/** Nobody should have to guess what a text is about; a heading that is surely another's does not tell it. */
function keepTitle(choice: Choice, { page, blocks }: Evidence, probabilities: Float32Array): void {
  const { titleBlock } = page
  if (titleBlock === none || (probabilities[titleBlock] ?? 0) < leastOfTitle) return
  const hash = blocks.hashes[titleBlock]
  for (let block = 0; block < blocks.count; block += 1) {
    if (choice.kept[block] === 1 && blocks.hashes[block] === hash) return
  }
  change(choice, titleBlock, true, 'title')
}

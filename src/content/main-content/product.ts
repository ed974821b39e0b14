import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, none, type Tree, textAt } from '../tree/tree.ts'
import { fact, factsPerBlock } from './blocks.ts'
import type { Choice } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { type Group, isInGroup } from './records.ts'
import { region, regionAround } from './regions.ts'

/** The one product that a page is about, by its data for machines or by what one can do there. */
export interface Product {
  /** Amounts in hundredths, as the page states them for machines. */
  amounts: Set<number>
  isStated: boolean
}

const mostData = 200_000
const mostAmounts = 50
const pricesOfMeta = new Set(['product:price:amount', 'og:price:amount'])

export function readProduct({ tree }: Evidence): Product {
  const amounts = new Set<number>()
  let [ofType, isProductMeta] = [0, false]
  for (let node: Node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.script && attribute(tree, node, attr.type) === 'application/ld+json') {
      const text = node + 1 < (tree.ends[node] ?? 0) ? textAt(tree, node + 1).slice(0, mostData) : ''
      ofType += text.match(/"@type"\s*:\s*\[?\s*"Product(?:Group)?"/g)?.length ?? 0
      for (const [, amount = ''] of text.matchAll(/"(?:price|lowPrice|highPrice)"\s*:\s*"?([\d.,]{1,12})/g)) {
        if (amounts.size < mostAmounts) addAmount(amounts, amount)
      }
    } else if (name === tag.meta) {
      const property = attribute(tree, node, attr.property) ?? ''
      const content = attribute(tree, node, attr.content) ?? ''
      if (pricesOfMeta.has(property)) addAmount(amounts, content)
      if (property === 'og:type' && /product/i.test(content)) isProductMeta = true
    } else if (hasItem(tree, node)) {
      if (/\/Product$/.test(attribute(tree, node, attr.itemtype) ?? '')) ofType += 1
      if (attribute(tree, node, attr.itemprop) === 'price' && amounts.size < mostAmounts) {
        addAmount(amounts, attribute(tree, node, attr.content) ?? shortText(tree, node))
      }
    }
  }
  return { amounts, isStated: isProductMeta || ofType === 1 }
}

/** Whether it is marked as data for machines, which few elements are. */
function hasItem({ attributes, starts, stops, tags }: Tree, node: Node): boolean {
  if (tags[node] === 0) return false
  for (let at = starts[node] ?? 0; at < (stops[node] ?? 0); at += 1) {
    const name = attributes.names[at]
    if (name === attr.itemtype || name === attr.itemprop) return true
  }
  return false
}

function shortText(tree: Tree, node: Node): string {
  let text = ''
  for (let at = node + 1; at < (tree.ends[node] ?? 0) && text.length < 40; at += 1) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
  }
  return text.slice(0, 40)
}

/** A sign of thousands or of hundredths: the last one with two digits behind it divides the hundredths. */
function addAmount(amounts: Set<number>, text: string): void {
  const number = /\d[\d.,' \u00a0]*/.exec(text)?.[0].trim().replace(/[.,]$/, '')
  if (number === undefined) return
  const parts = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number)
  const whole = (parts?.[1] ?? '').replace(/\D/g, '')
  if (whole.length === 0 || whole.length > 9) return
  amounts.add(Number(whole) * 100 + Number((parts?.[2] ?? '0').padEnd(2, '0')))
}

const buys =
  /add[ _-]?to[ _-]?(?:cart|basket|bag)|buy now|in den warenkorb|ajouter au panier|a[ñn]adir al carrito|aggiungi al carrello|in winkelwagen|do koszyka|в корзину|カートに/i

/** Whether a page has a button to buy what it shows, outside of the cards it also shows. */
function hasBuyButton({ tree }: Evidence, groups: Group[]): boolean {
  for (let node: Node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node]
    if (name !== tag.button && name !== tag.input && name !== tag.a) continue
    const said = `${attribute(tree, node, attr.class) ?? ''} ${attribute(tree, node, attr.name) ?? ''} ${
      attribute(tree, node, attr.value) ?? ''
    } ${name === tag.input ? '' : shortText(tree, node)}`
    if (buys.test(said) && !isInGroup(tree, groups, node)) return true
  }
  return false
}

export function isAboutProduct(evidence: Evidence, groups: Group[], product: Product): boolean {
  return product.isStated || (evidence.page.prices > 0 && hasBuyButton(evidence, groups))
}

const mostWords = 12
/** How far behind its title the price of a product stands, in blocks. */
const mostBehind = 60

/** A product without its price is half a product: the first price behind the title, or the one that the data states. */
export function keepPrice(choice: Choice, evidence: Evidence, groups: Group[], { amounts }: Product): void {
  const { tree, blocks, page, elements } = evidence
  const from = Math.max(0, page.titleBlock)
  let first = none
  let stated = none
  for (let block = from; block < Math.min(blocks.count, from + mostBehind) && stated === none; block += 1) {
    const holder = holderOf(blocks, block)
    if ((blocks.words[block] ?? 0) >= mostWords || isInGroup(tree, groups, holder)) continue
    const isOutside = [region.nav, region.footer, region.aside, region.hidden].some(
      (kind) => regionAround(elements.regions, holder, kind) !== none,
    )
    if (isOutside) continue
    const said = new Set<number>()
    addAmount(said, shortText(tree, holder))
    const [amount = 0] = said
    if (amount === 0) continue
    if (amounts.has(amount)) stated = block
    if (first === none && (blocks.facts[block * factsPerBlock + fact.prices] ?? 0) > 0) first = block
  }
  const price = stated === none ? first : stated
  if (price === none || choice.kept[price] === 1) return
  choice.kept[price] = 1
  choice.reasons[price] = 'part of a record'
}

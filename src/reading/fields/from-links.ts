import { attr, tag } from '../../content/tree/names.ts'
import { attribute, isText, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { nameWords, phraseOf, singular, words } from '../vocabulary/words.ts'
import { better, type Found } from './found.ts'
import type { Lines } from './lines.ts'
import { alike } from './near-names.ts'
import type { PageContext } from './page-context.ts'
import { shownText } from './shown-text.ts'
import type { Slot } from './slots.ts'

const mostLinks = 3000
const leastWeight = 0.5
const score = { text: 0.64, host: 0.66, named: 0.62 }
const mostWords = 8

interface Link {
  node: Node
  href: string
  words: string[]
  host: string[]
  weight: number
}

/** Words of a name that say only that it is an address. */
const forms = new Set(
  'url link href uri address page website site web profile homepage to of the enlace lien liens collegamento adresse seite pagina'.split(
    ' ',
  ),
)

/** Addresses of links that are called as a field is: "Apply for this job" for `applyUrl`, a host for `linkedin`. */
export function readLinks(
  lines: Lines,
  slots: readonly Slot[],
  page: PageContext,
  known: ReadonlyMap<string, Found>,
): Map<Slot, Found> {
  const found = new Map<Slot, Found>()
  const wanted = slots.filter(({ names, spec }) => isAddress(names.kind) && spec.kind !== 'list')
  if (wanted.length === 0) return found
  const links = linksOf(lines)
  for (const slot of wanted) {
    const keys = slot.names.own.filter((word) => !forms.has(word))
    const value = keys.length > 0 ? bestLink(links, slot, keys, page) : undefined
    const best = better(value, linkOfNamed(links, slot, page, known))
    if (best) found.set(slot, best)
  }
  return found
}

const isAddress = (kind: string | undefined) => kind === 'address'

function linksOf({ tree, weights }: Lines): Link[] {
  const links: Link[] = []
  for (let node = 1; node < tree.count && links.length < mostLinks; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < leastWeight) continue
    const href = attribute(tree, node, attr.href)?.trim() ?? ''
    if (href === '' || /^(?:#|javascript:|mailto:|tel:|data:)/i.test(href)) continue
    links.push({
      node,
      href,
      words: linkWords(tree, node),
      host: hostWords(href),
      weight: weights[node] ?? 1,
    })
  }
  return links
}

function linkWords(tree: Tree, node: Node): string[] {
  const text = shownText(tree, node)
  const said =
    text !== '' ? text : (attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title))
  return words((said ?? '').slice(0, 120)).map(singular)
}

function hostWords(href: string): string[] {
  return /^https?:/i.test(href) ? (URL.parse(href)?.hostname ?? '').split('.').slice(0, -1) : []
}

function bestLink(
  links: readonly Link[],
  slot: Slot,
  keys: readonly string[],
  page: PageContext,
): Found | undefined {
  let best: Found | undefined
  for (const link of links) {
    const isText =
      link.words.length <= mostWords && keys.every((key) => link.words.some((word) => alike(word, key) > 0))
    const isHost = keys.length === 1 && link.host.includes(keys[0] ?? '')
    if (!isText && !isHost) continue
    // The fewer other words, the surer.
    const share = isText ? 0.85 + 0.15 * (keys.length / Math.max(1, link.words.length)) : 1
    best = better(best, foundAt(link, slot, page, (isHost ? score.host : score.text) * share))
  }
  return best
}

/** `author.url` is where the name of the author leads. */
function linkOfNamed(
  links: readonly Link[],
  slot: Slot,
  page: PageContext,
  known: ReadonlyMap<string, Found>,
): Found | undefined {
  const at = slot.path.lastIndexOf('.')
  if (!slot.names.isOfOther || at < 0) return undefined
  const name = known.get(`${slot.path.slice(0, at)}.name`)?.value
  if (typeof name !== 'string') return undefined
  const wanted = phraseOf(nameWords(name))
  const link = links.find((one) => phraseOf(one.words) === wanted)
  return link && foundAt(link, slot, page, score.named)
}

function foundAt(link: Link, { spec, names }: Slot, page: PageContext, sure: number): Found | undefined {
  if (spec.kind === 'list') return undefined
  const value = coerce(spec, link.href, { ...page, ...names })
  if (value === undefined) return undefined
  return { value, text: link.href, node: link.node, reader: 'label', score: sure * link.weight }
}

import { tag } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, root, tagOf } from '../../content/tree/tree.ts'
import type { Line, Lines } from './lines.ts'

/** Beginnings of headings above other things than the one that the page is about. */
const beginnings =
  /^(?:(?:similar|related|recommended|nearby|popular|trending|recent(?:ly)?|latest|upcoming|other|further)\b|more (?:from|like|in|on|by|about|events?|jobs?|openings?|stories|posts?|products?|homes?|articles?|news)\b|you (?:may|might|will) (?:also|like)|you'll also|(?:people|customers|others|we) also\b|also (?:in|by|like|from)\b|most (?:read|popular|viewed|recent)|top (?:rated|stories|sellers)|best ?sellers|read (?:more|next|also)|(?:up )?next\b|see also|keep reading|editor.s picks|(?:ähnliche|verwandte|weitere|nächste|neueste|aktuelle|beliebte|passende)[rsn]?\b|mehr (?:aus|von|zum|zu|über)\b|(?:andere )?kunden (?:kauften|sahen)|das könnte|auch interessant|meistgelesen|lesen sie auch|empfehlungen|à lire (?:aussi|également)|sur le même|(?:articles?|produits|annonces|offres|biens) (?:similaires|liés|associés)|vous aimerez|autres\b|plus de\b|voir aussi|derni(?:er|ère)s?\b|prochain(?:e)?s?\b|les plus (?:lus|vus)|nos promos|(?:artículos|productos|noticias|ofertas|anuncios) (?:relacionad|similares)|relacionad|también|más (?:de|sobre|leíd|noticias)|otr[oa]s\b|últim[oa]s\b|próxim[oa]s\b|te puede|quizás|(?:articoli|prodotti) (?:correlati|simili)|altr[ie]\b|leggi anche|potrebbe|ultim[ie]\b|prossim[ie]\b|gerelateerd|vergelijkbare|andere\b|lees ook|meer (?:van|over|uit)|relacionad[oa]s|veja também|mais (?:de|lidas)|outr[oa]s\b|関連|おすすめ|人気|新着|最近|その他|こちらも|あわせて)/iu

const weightOfOthers = 0.38
/** What holds more of the lines than this is what the page is about, whatever stands above it. */
const mostOfPage = 0.4
const mostWords = 9
const mostHeadings = 400

/** Lines below headings such as "Similar homes" say little about the subject of the page. */
export function lowerOthers({ tree, list, weights, before }: Lines): void {
  let read = 0
  for (const [at, line] of list.entries()) {
    if (line.weight <= weightOfOthers || !isHeading(line) || !beginnings.test(line.text)) continue
    read += 1
    if (read > mostHeadings) return
    const end = sectionEnd({ tree, list, before }, at)
    const last = before[end] ?? list.length
    if (last - at > list.length * mostOfPage || last - at < 2) continue
    for (const other of list.slice(at, last)) other.weight = Math.min(other.weight, weightOfOthers)
    for (let node = line.holder; node < end; node += 1)
      weights[node] = Math.min(weights[node] ?? 1, weightOfOthers)
  }
}

function isHeading({ level, words, pieces }: Line): boolean {
  return level > 1 && words.length <= mostWords && pieces.length <= 4
}

/** Where the section that a heading begins ends: at the next heading beside it of its level, else with what holds both. */
function sectionEnd({ tree, list, before }: Pick<Lines, 'tree' | 'list' | 'before'>, at: number): Node {
  const heading = list[at]
  if (!heading) return 0
  let node: Node = heading.holder
  // A heading may stand in a box of its own.
  while (parentOf(tree, node) > root && (before[endOf(tree, parentOf(tree, node))] ?? 0) <= at + 1)
    node = parentOf(tree, node)
  const parent = parentOf(tree, node)
  const end = endOf(tree, parent)
  for (let next = endOf(tree, node); next < end; next = isText(tree, next) ? next + 1 : endOf(tree, next)) {
    const first = list[before[next] ?? list.length]
    const isBelow = first !== undefined && first.first < endOf(tree, next)
    const inside = list.slice(before[next], before[endOf(tree, next)])
    // A heading above this one in rank begins something else, wherever it stands.
    if (inside.some(({ level }) => level > 0 && level < heading.level)) return next
    if (!isBelow || first.level === 0 || first.level > heading.level) continue
    // The title of a card is no heading beside this one.
    const isAlone = first.holder === next || (before[endOf(tree, next)] ?? 0) - (before[next] ?? 0) === 1
    if (isAlone || tagOf(tree, next) === tag.section) return next
  }
  return end
}

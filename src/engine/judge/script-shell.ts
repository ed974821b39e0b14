import { saysLoading } from '../../content/loading-words.ts'
import { anyOf } from './any-of.ts'
import type { PageFacts } from './page-facts.ts'
import { isPlaceholder, isSkeleton } from './tag-facts.ts'

export const forwardReason = 'the page only sends its visitors on to another'

/** Why the main part of a page can only be seen after its scripts ran, where the page leaves no doubt. */
export function emptyShell(facts: PageFacts, { isRendered }: { isRendered: boolean }): string | undefined {
  if (facts.isPlenty || hasNoscriptText(facts)) return undefined
  if (isForward(facts, isRendered ? facts.refresh : (facts.refresh ?? facts.noscriptRefresh)))
    return forwardReason
  if (facts.scripts === 0) return undefined
  const { prose, linked, media, fields } = facts
  if (prose + linked + media + fields === 0) return 'the page has no text of its own'
  const isBare = prose < 400 && linked < 1000 && media < 5
  // Where a main part says something under a heading, an element of the site's own beside it is a bar or a button.
  const isWritten = facts.mains > facts.emptyMains && hasHeading(facts)
  const emptyRoots = facts.emptyRoots + (isWritten ? 0 : facts.emptyOwnRoots)
  if (isBare && emptyRoots > 0 && facts.filled === 0) {
    return 'the element that scripts are to fill is empty'
  }
  // Where scripts ran, a heading may be all there is.
  const isShort = isRendered && prose > 0 && hasHeading(facts)
  if (facts.mains > 0 && facts.mains === facts.emptyMains && prose < 1500 && !isShort) {
    return 'the main part of the page is empty'
  }
  return undefined
}

/** The same where the signs are weaker, for pages that nothing else explains. */
export function likelyShell(
  facts: PageFacts,
  { status, isRendered }: { status: number; isRendered: boolean },
): string | undefined {
  // The few words of an error page are all there is to it.
  if (facts.isPlenty || facts.scripts === 0 || hasNoscriptText(facts) || status >= 400) return undefined
  if (facts.isWrittenOut) return undefined
  const { prose, linked, media } = facts
  if (prose < 1000 && facts.blocks.some(saysLoading)) return 'the page says that it is still loading'
  // One may stand for the comments of a text that is there; several stand for what the page is about.
  if (prose < 1500 && facts.elements.filter((node) => isSkeleton(facts.tree, node)).length >= 3)
    return placeholders
  const isThin = prose < 300 && linked < 500 && media < 3
  if (!isThin) return undefined
  // Where scripts ran, what is written for those without is not for this reader; and many pages that work thank those who have them.
  const saysNothing = facts.filled === 0 && prose < 150 && !hasHeading(facts)
  if (!isRendered && saysNothing && pleas.test(facts.noscript.slice(0, 1000)))
    return 'the page asks for JavaScript'
  // Where a page has a main part, what stands outside of it may be that of a search that nobody has begun.
  const inside = facts.mains > 0 ? facts.mainElements : facts.elements
  if (inside.some((node) => isPlaceholder(facts.tree, node))) return placeholders
  if (prose < 200 && facts.emptyTables > 0) return 'the table of the page is empty'
  // A large frame is seldom drawn around next to nothing.
  const least = facts.around >= 1000 ? 200 : 80
  // Where scripts ran, a few words under a heading are all that such a page has to say.
  const isEnough = isRendered ? hasHeading(facts) || prose + linked >= 40 : prose + linked >= least
  return isEnough || facts.fields >= 2 ? undefined : 'the page has hardly any text of its own'
}

const hasHeading = (facts: PageFacts) => facts.headings.some((heading) => heading !== '')

const placeholders = 'the page shows placeholders of content still to come'

/** Some forums write the whole page a second time for readers without scripts. */
function hasNoscriptText({ noscript }: PageFacts): boolean {
  // The longest pleas, with links to help and terms, stay below this.
  if (noscript.length >= 1500) return true
  return noscript.length >= 400 && !pleas.test(noscript.slice(0, 300))
}

function isForward(facts: PageFacts, refresh: string | undefined): boolean {
  if (facts.prose + facts.linked + facts.around >= 200) return false
  if (refresh !== undefined) return true
  const code = facts.code.join('\n')
  return code.length < 3000 && forwards.test(code)
}

const forwards = /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign)\s*\(/

/** The request to switch scripts on, in the languages of most pages. */
const pleas = anyOf('iu', [
  /(?:enable|activate|turn on|requires?|needs?|without|allow|use) (?:your )?java ?script/,
  /java ?script (?:is|must|needs|has|to be|required|enabled|disabled|in your|on\b)/,
  /java ?script (?:aktiviert|aktivieren|einschalten|muss|ist|deaktiviert|benötigt)|ohne java ?script/,
  /(?:aktivieren|benötigt|erfordert)[^.]{0,30}java ?script/,
  /(?:activer|activez|nécessite|sans|exige)[^.]{0,20}java ?script/,
  /java ?script (?:est|doit|activé|désactivé)/,
  /(?:habilit|activ|requiere|necesita|sin|requer|precisa|ativ|sem)\p{L}{0,8}[^.]{0,20}java ?script/u,
  /(?:attiv|abilit|richiede|senza|schakel|zet|vereist|aktivera|kräver|slå)\p{L}{0,8}[^.]{0,30}java ?script/u,
  /(?:włącz|wymaga|zapněte|povolte|engedélyez)[^.]{0,30}java ?script/,
  /java ?script[^.]{0,20}(?:inschakelen|vereist|aktivera|włącz|povolit|bekapcsol)/,
  /(?:включ|требуется|необходим|увімк)\p{L}{0,8}[^.]{0,20}java ?script/u,
  /java ?script[^.]{0,20}(?:включ|отключ|необходим)/,
  /java ?script[^。]{0,12}(?:有効|無効|必要|启用|開啟|开启|禁用|支持|활성화|필요)/,
  /(?:启用|開啟|开启)\s?java ?script/,
])

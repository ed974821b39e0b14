import type { PageFacts } from './page-facts.ts'
import { isPlaceholder } from './tag-facts.ts'

/** Why the main part of a page can only be seen after its scripts ran, where the page leaves no doubt. */
export function emptyShell(facts: PageFacts): string | undefined {
  if (facts.isPlenty || hasNoscriptText(facts)) return undefined
  const text = facts.prose + facts.linked
  if (isForward(facts)) return 'the page only sends its visitors on to another'
  if (facts.scripts === 0) return undefined
  if (text === 0 && facts.media + facts.fields === 0) return 'the page has no text of its own'
  if (
    facts.emptyRoots > 0 &&
    facts.filled === 0 &&
    facts.prose < 400 &&
    facts.linked < 800 &&
    facts.media < 5
  ) {
    return 'the element that scripts are to fill is empty'
  }
  if (facts.mains > 0 && facts.mains === facts.emptyMains && facts.prose < 1500) {
    return 'the main part of the page is empty'
  }
  return undefined
}

/** The same where the signs are weaker, for pages that nothing else explains. */
export function likelyShell(facts: PageFacts, status: number): string | undefined {
  // The few words of an error page are all there is to it.
  if (facts.isPlenty || facts.scripts === 0 || hasNoscriptText(facts) || status >= 400) return undefined
  const text = facts.prose + facts.linked
  const isThin = facts.prose < 300 && facts.linked < 500 && facts.media < 3
  if (isThin && facts.filled === 0 && pleas.test(facts.noscript.slice(0, 1000))) {
    return 'the page asks for JavaScript'
  }
  if (isThin && facts.attributes.some(isPlaceholder)) {
    return 'the page shows placeholders of content that is still to come'
  }
  if (isThin && facts.prose < 200 && facts.emptyTables > 0) return 'the table of the page is empty'
  if (text < (facts.around >= 1000 ? 200 : 80) && facts.media < 3 && facts.fields < 2)
    return 'the page has hardly any text of its own'
  return undefined
}

/** Some forums write the whole page a second time for readers without scripts. */
function hasNoscriptText({ noscript }: PageFacts): boolean {
  // The longest pleas, with links to help and terms, stay below this.
  if (noscript.length >= 1500) return true
  return noscript.length >= 400 && !pleas.test(noscript.slice(0, 300))
}

function isForward(facts: PageFacts): boolean {
  if (facts.prose + facts.linked + facts.around >= 200) return false
  if (facts.refresh !== undefined) return true
  const code = facts.code.join('\n')
  return code.length < 3000 && forwards.test(code)
}

const forwards = /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign)\s*\(/

const pleas = new RegExp(
  [
    '(?:enable|activate|turn on|requires?|needs?|without|allow|use) (?:your )?java ?script',
    'java ?script (?:is|must|needs|has|to be|required|enabled|disabled|in your)|java ?script on\\b',
    'java ?script (?:aktiviert|aktivieren|einschalten|muss|ist|deaktiviert|benötigt)|ohne java ?script',
    '(?:aktivieren|benötigt|erfordert)[^.]{0,30}java ?script',
    "(?:activer|activez|nécessite|sans|exige|d'activer)[^.]{0,20}java ?script|java ?script (?:est|doit|activé|désactivé)",
    '(?:habilit|activ|requiere|necesita|requer|precisa|ativ|attiv|abilit|richiede|senza|sin|sem)\\p{L}{0,8}[^.]{0,20}java ?script',
    '(?:schakel|zet|inschakelen|vereist|aktivera|kräver|slå|włącz|wymaga|zapněte|povolte|engedélyez)[^.]{0,30}java ?script',
    'java ?script[^.]{0,20}(?:inschakelen|vereist|aktivera|włącz|povolit|bekapcsol)',
    '(?:включ|требуется|необходим|увімк)\\p{L}{0,8}[^.]{0,20}java ?script|java ?script[^.]{0,20}(?:включ|отключ|необходим)',
    'java ?script[^。]{0,12}(?:有効|無効|必要|启用|開啟|开启|禁用|支持|활성화|필요)|(?:启用|開啟|开启)\\s*java ?script',
  ].join('|'),
  'iu',
)

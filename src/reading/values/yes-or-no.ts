import { phraseOf, words } from '../vocabulary/words.ts'

const no =
  /\b(?:no|not|non|nein|nicht|kein|keine|false|never|out of stock|sold out|outofstock|soldout|discontinued|unavailable|nicht verfugbar|nicht lieferbar|nicht auf lager|ausverkauft|vergriffen|epuise|rupture|indisponible|agotado|sin stock|no disponible|esaurito|non disponibile|esgotado|indisponivel|uitverkocht|niet|udsolgt|slutsald|slut|brak|niedostepny|cancelled|closed)\b|在庫切れ|売り切れ|品切れ|なし|いいえ/
const yes =
  /\b(?:yes|telecommute|ja|oui|si|sim|true|available|in stock|instock|onlineonly|instoreonly|limitedavailability|preorder|backorder|lieferbar|verfugbar|auf lager|sofort|vorratig|en stock|disponible|disponibile|disponivel|op voorraad|leverbaar|pa lager|i lager|dostepny|disponible|possible|moglich|erlaubt|included|inklusive|free|open|tak|ano)\b|在庫あり|あり|はい/

/** Whether a text says yes or no; undefined where it says neither. */
export function readYesOrNo(text: string): boolean | undefined {
  const said = phraseOf(
    words(text.replace(/^https?:\/\/schema\.org\//i, '').replace(/([a-z])([A-Z])/g, '$1 $2')),
  )
  if (said === '0' || said === '1') return said === '1'
  const joined = ` ${said} `
  if (no.test(joined) || no.test(said.replaceAll(' ', ''))) return false
  return yes.test(joined) || yes.test(said.replaceAll(' ', '')) ? true : undefined
}

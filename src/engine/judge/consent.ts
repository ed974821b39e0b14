import type { Page } from '../../content/page.ts'
import { anyOf } from './any-of.ts'
import type { PageFacts } from './page-facts.ts'
import { textLength } from './text-length.ts'

export const consentReason = 'the page asks for consent to cookies before it shows anything else'

/** Whether the visitor was sent to a place that only asks for consent. */
export function isConsentAddress(page: Page): boolean {
  const [host, requested] = [hostOf(page.url), hostOf(page.requestedUrl)]
  return host !== requested && /^(?:consent|guce|cmp|privacy-?gate|myprivacy)\./.test(host)
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''

/** Whether a question about cookies is all that the page says. */
export function isConsentWall(facts: PageFacts): boolean {
  if (facts.isPlenty || !facts.controls.some((control) => agreeing.test(control))) return false
  let [asking, other] = [0, 0]
  for (const block of facts.blocks) {
    if (consentWords.test(block)) asking += textLength(block)
    else other += textLength(block)
  }
  for (const block of facts.blocksAround) if (consentWords.test(block)) asking += textLength(block)
  return asking >= 80 && other + facts.linked < Math.min(200, asking) && facts.media < 3
}

/** At the start of what is written on a button. */
const agreeing = anyOf('i', [
  /^(?:i )?(?:accept|agree|allow|consent|got it|ok\b|yes)/,
  /^(?:akzeptier|alles? (?:akzeptieren|annehmen|zulassen)|zustimm|einverstanden)/,
  /^(?:tout accepter|accepte[rz]|j(?:'|’)accepte|acept|accett|aceit|concordo)/,
  /^(?:akkoord|alles accepteren|godkänn|godta|tillåt|tillad|hyväksy)/,
  /^(?:zaakceptuj|akceptuj|zgadzam|přij|souhlas|elfogad|принять|соглас|прийняти|kabul|αποδοχή)/,
  /^(?:同意|すべて許可|동의|قبول)/,
])

const consentWords = anyOf('iu', [
  /\bcookies?\b|\bconsent|\bgdpr\b|\bprivacy\b|personal data/,
  /personenbezogen|zustimmung|einwilligung|datenschutz|persoonsgegevens|toestemming/,
  /données personnelles|consentement|confidentialité|datos personales|consentimiento|privacidad/,
  /dati personali|consenso|dados pessoais|consentimento/,
  /personuppgifter|samtyck|samtykke|personoplysninger|personopplysninger|evästei|tietosuoja/,
  /danych osobowych|zgod[aęy](?!\p{L})|osobních údajů|souhlas/u,
  /персональн\p{L}{1,5} данн|файл\p{L}{1,5} cookie/u,
  /个人(?:信息|数据)|隐私|クッキー|個人情報|쿠키|개인정보/,
])

import type { Page } from '../../content/page.ts'
import type { PageFacts } from './page-facts.ts'

/** What the owner of an address without a site has put there. */
export function parkedRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || facts.prose + facts.linked > 800 || page.status >= 400) return undefined
  const host = URL.parse(page.url)?.hostname.replace(/^www\./, '') ?? ''
  const said = [facts.title, ...facts.headings, ...facts.blocks].join('\n').toLowerCase()
  const isOffered = saleWords.test(said) || (host !== '' && said.includes(`${host} is for sale`))
  const isParked =
    isOffered || facts.code.some((code) => parkingCode.test(code)) || facts.attributes.some(isParkingSource)
  return isParked ? 'The domain seems to be parked or for sale; this is not the page of a site.' : undefined
}

const saleWords =
  /\b(?:this|the) domain(?: name)? (?:is|may be) (?:for sale|parked|available for (?:sale|purchase))|\bbuy this domain\b|this (?:web ?page|domain)[^.]{0,40} domain parking|domain steht zum verkauf|ce (?:nom de )?domaine est (?:à vendre|en vente)|este dominio está (?:en venta|a la venta)|este domínio está à venda|(?:questo|il) dominio è in vendita|dit domein(?:naam)? (?:is|staat) te koop|ta domena jest na sprzedaż|домен прода[её]тся|此域名(?:正在)?出售|该域名(?:正在)?出售|このドメイン(?:名)?は(?:販売|売り出し)/u

const parkingHosts =
  'sedoparking\\.com|parkingcrew\\.net|\\bbodis\\.com|parklogic\\.com|\\bafternic\\.com|hugedomains\\.com|d1lxhc4jvstzrp\\.cloudfront\\.net|dsparking\\.com|parking\\.godaddy|searchvity\\.com|smartname\\.com'
const parkingCode = new RegExp(
  `(?:${parkingHosts})|location\\.href\\s*=\\s*["']/lander(?:["'?])|window\\.park\\s*=`,
  'i',
)
const isParkingSource = (attributes: string) => parkingSource.test(attributes)
const parkingSource = new RegExp(`\\bsrc\\s*=\\s*["']?[^"'\\s]{0,200}(?:${parkingHosts})`, 'i')

/** A page that says "not found" under a status that says all is well. */
export function notFoundRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || page.status >= 400 || facts.prose > 800) return undefined
  const says = [facts.title, ...facts.headings].some((text) =>
    text.split(/\s+[|–—·:»-]\s+|\s*[|»]\s*/).some((part) => part.length <= 80 && notFound.test(part)),
  )
  return says
    ? `The page says that it was not found, although the server answered ${page.status}.`
    : undefined
}

const notFoundPhrases = [
  '^(?:error|erreur|fehler|errore?|erro|ошибка|http)?\\s*:?\\s*404(?:\\b.{0,40})?$',
  "\\bpage (?:can(?:'|’|no)t|could not|was not|is not|isn(?:'|’)t|not|does not|doesn(?:'|’)t|no longer) (?:be )?(?:found|exists?|available)",
  "^(?:page |file |document )?not found[.!]?$|page you (?:are|were) looking for|we (?:can(?:'|’|no)t|could(?:n(?:'|’)t| not)) find (?:that|this|the|your) page",
  "seite (?:wurde |konnte |existiert )?(?:leider )?nicht (?:mehr )?(?:gefunden|vorhanden|existiert)?|page (?:est )?(?:introuvable|non trouvée)|page n(?:'|’)existe (?:pas|plus)",
  'página (?:no (?:se ha |fue )?(?:encontrada|existe)|não (?:foi )?encontrada|não existe)|no se (?:ha )?encontr\\p{L}{1,5} la página',
  'pagina (?:non (?:è stata )?trovata|niet gevonden|nu a fost găsită)|sidan (?:kunde inte hittas|hittades inte|finns inte)',
  'siden (?:blev|ble|finnes|findes) ikke(?: funnet| fundet)?|sivua ei löyt|stron[ay] nie (?:została znaleziona|istnieje|znaleziona)|nie znaleziono strony',
  'stránka (?:nebyla nalezena|nenalezena|neexistuje)|oldal nem található|sayfa bulunamadı|η σελίδα δεν βρέθηκε',
  'страница не (?:найдена|существует)|сторінк[ау] не знайдено|الصفحة غير موجودة|הדף לא נמצא|ไม่พบหน้า|không tìm thấy trang|halaman tidak ditemukan',
  'ページ(?:が|は)見つかり|ページ(?:が|は)存在しません|页面(?:不存在|未找到|找不到)|找不到(?:该|此|您)?(?:页面|頁面|網頁|网页)|頁面不存在|페이지를 찾을 수 없',
]
const notFound = new RegExp(notFoundPhrases.join('|'), 'iu')

/** A page that shows its content only to those it knows. */
export function loginRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || page.status >= 400) return undefined
  const isSent = loginPath.test(pathOf(page.url)) && !loginPath.test(pathOf(page.requestedUrl))
  const isWall =
    (facts.passwords > 0 && facts.prose < 500) ||
    (facts.prose < 300 && facts.blocks.some((block) => loginWords.test(block)))
  if (!isWall && !(isSent && facts.prose < 800)) return undefined
  return 'The page asks its visitors to log in; what was requested may lie behind that.'
}

const pathOf = (url: string) => URL.parse(url)?.pathname ?? ''
const loginPath = /\/(?:users\/|accounts?\/)?(?:log[_-]?in|sign[_-]?in|sso|auth)(?:[/.]|$)/i

const loginWords =
  /\b(?:log|sign) ?in to (?:continue|view|access|see|read)|(?:must|need to|have to) (?:be logged in|log in|sign in)|(?:bitte|müssen sie sich) (?:melden sie sich an|anmelden|einloggen)|connectez-vous pour|(?:inicia|iniciar) sesión para|accedi per|faça login para|log in om|войдите,? чтобы|请(?:先)?登录|ログインしてください|로그인이 필요/i

/** A plain refusal: nothing in it asks for more than another address or a key. */
export function refusalRemark({ status }: Page): string | undefined {
  return refusalRemarks.get(status)
}

const refusalRemarks = new Map([
  [401, 'The server answered 401: it wants its visitors to log in.'],
  [403, 'The server answered 403: it does not let this visitor see the page.'],
  [407, 'The server answered 407: a proxy wants its users to log in.'],
  [429, 'The server answered 429: it was asked too often.'],
])

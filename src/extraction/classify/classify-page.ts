import type { Content } from '../../content/content.ts'
import { getPageKind } from '../../content/content-type.ts'
import { isLoadingText } from '../../content/loading-words.ts'
import type { Page } from '../../content/page.ts'
import { attr } from '../../content/tree/names.ts'
import { attribute } from '../../content/tree/tree.ts'
import { challengeInHeaders, challengeInPage, challengeInText } from './challenge.ts'
import { anyOf, isPlaceholder, isSkeleton, type PageFacts, textLength } from './page-facts.ts'
import { readPageSignals } from './page-signals.ts'

const forwardReason = 'the page only sends its visitors on to another'

function emptyShell(facts: PageFacts, page: Page): string | undefined {
  if (hasNoscriptText(facts)) return undefined
  const isRendered = page.text !== undefined
  if (isRedirectPage(facts, isRendered ? facts.refresh : (facts.refresh ?? facts.noscriptRefresh)))
    return forwardReason
  if (facts.scripts === 0) return undefined
  const { prose, linked, media, fields } = facts
  if (prose + linked + media + fields === 0) return 'the page has no text of its own'
  const isBare = prose < 400 && linked < 1000 && media < 5
  // If a main part has text and a heading, an empty custom element next to it is a toolbar or a button.
  const hasMainText = facts.mainCount > facts.emptyMainCount && hasHeading(facts)
  const emptyRoots = facts.emptyRoots + (hasMainText ? 0 : facts.emptyCustomElements)
  if (isBare && emptyRoots > 0 && facts.filledCount === 0)
    return 'the element that scripts are to fill is empty'
  // On a rendered page, a heading may be the complete content.
  const isShort = isRendered && prose > 0 && hasHeading(facts)
  if (facts.mainCount > 0 && facts.mainCount === facts.emptyMainCount && prose < 1500 && !isShort)
    return 'the main part of the page is empty'
  return undefined
}

function likelyShell(facts: PageFacts, page: Page): string | undefined {
  // An error page is complete with a few words.
  if (facts.scripts === 0 || hasNoscriptText(facts) || page.status >= 400) return undefined
  if (facts.isGeneratedDocumentation) return undefined
  const isRendered = page.text !== undefined
  const { prose, linked, media } = facts
  if (prose < 1000 && facts.blocks.some(isLoadingText)) return 'the page says that it is still loading'
  // A single skeleton may be a placeholder for comments below a complete text.
  if (prose < 1500 && facts.elements.filter((node) => isSkeleton(facts.tree, node)).length >= 3)
    return placeholderReason
  const isThin = prose < 300 && linked < 500 && media < 3
  if (!isThin) return undefined
  // On a rendered page, `noscript` text is irrelevant. Many working pages also contain it.
  const hasNoText = facts.filledCount === 0 && prose < 150 && !hasHeading(facts)
  if (!isRendered && hasNoText && javaScriptPrompts.test(facts.noscript.slice(0, 1000)))
    return 'the page asks for JavaScript'
  // If a page has a main part, placeholders outside of it may belong to a search that has not started.
  const candidates = facts.mainCount > 0 ? facts.mainElements : facts.elements
  if (candidates.some((node) => isPlaceholder(facts.tree, node))) return placeholderReason
  if (prose < 200 && facts.emptyTables > 0) return 'the table of the page is empty'
  // If much text surrounds the main part, more main text is required for a complete page.
  const minLength = facts.around >= 1000 ? 200 : 80
  // On a rendered page, a few words below a heading may be the complete content.
  const isEnough = isRendered ? hasHeading(facts) || prose + linked >= 40 : prose + linked >= minLength
  return isEnough || facts.fields >= 2 ? undefined : 'the page has hardly any text of its own'
}

const hasHeading = (facts: PageFacts) => facts.headings.some((heading) => heading !== '')

const placeholderReason = 'the page shows placeholders of content still to come'

/** Some forums repeat the complete page in `noscript`. */
function hasNoscriptText({ noscript }: PageFacts): boolean {
  // Texts that ask for JavaScript are shorter, even with links to help and terms.
  if (noscript.length >= 1500) return true
  return noscript.length >= 400 && !javaScriptPrompts.test(noscript.slice(0, 300))
}

function isRedirectPage(facts: PageFacts, refresh: string | undefined): boolean {
  if (facts.prose + facts.linked + facts.around >= 200) return false
  if (refresh !== undefined) return true
  const code = facts.code.join('\n')
  return code.length < 3000 && redirectCode.test(code)
}

const redirectCode = /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign)\s*\(/

const javaScriptPrompts = anyOf('iu', [
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

function isNotFoundHeading(heading: string): boolean {
  const parts = heading.split(/\s[|–—·:»-]\s|[|»]/)
  return parts.some((part) => part.length <= 80 && notFound.test(part.trim()))
}

const saleWords = anyOf('u', [
  /(?:this|the) domain(?: name)? (?:is|may be) (?:for sale|parked|available for (?:sale|purchase))/,
  /buy this domain|this (?:web ?page|domain)[^.]{0,40} domain parking/,
  /domain steht zum verkauf|ce (?:nom de )?domaine est (?:à vendre|en vente)/,
  /este dominio está (?:en venta|a la venta)|este domínio está à venda|(?:questo|il) dominio è in vendita/,
  /dit domein(?:naam)? (?:is|staat) te koop|ta domena jest na sprzedaż|домен прода[её]тся/,
  /[此该]域名(?:正在)?出售|このドメイン(?:名)?は(?:販売|売り出し)/,
])

const parking = anyOf('i', [
  /sedoparking\.com|parkingcrew\.net|\bbodis\.com|parklogic\.com|\bafternic\.com|hugedomains\.com/,
  /d1lxhc4jvstzrp\.cloudfront\.net|dsparking\.com|parking\.godaddy|searchvity\.com|smartname\.com/,
  /location\.href\s?=\s?["']\/lander["'?]|window\.park\s?=/,
])

const notFound = anyOf('iu', [
  /^(?:error|erreur|fehler|errore?|erro|ошибка|http)?\s?:?\s?404(?:\b.{0,40})?$/,
  /\bpage (?:can(?:'|’|no)t|could not|was not|is not|isn(?:'|’)t|not) (?:be )?(?:found|available)/,
  /\bpage (?:does not|doesn(?:'|’)t|no longer) exists?\b|^(?:page |file |document )?not found[.!]?$/,
  /page you (?:are|were) looking for/,
  /we (?:can(?:'|’|no)t|could(?:n(?:'|’)t| not)) find (?:that|this|the) page/,
  /seite (?:wurde |konnte )?(?:leider )?nicht (?:mehr )?(?:gefunden|vorhanden|verfügbar)|seite existiert nicht/,
  /page (?:est )?(?:introuvable|non trouvée)|page n(?:'|’)existe (?:pas|plus)/,
  /página (?:no (?:se ha |fue )?(?:encontrada|existe)|não (?:foi )?encontrada|não existe)/,
  /no se (?:ha )?encontr\p{L}{1,5} la página|pagina (?:non (?:è stata )?trovata|niet gevonden)/u,
  /sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev|ble) ikke (?:funnet|fundet)/,
  /siden (?:finnes|findes) ikke|sivua ei löyt|pagina nu a fost găsită/,
  /stron[ay] nie (?:została znaleziona|istnieje)|nie znaleziono strony/,
  /stránka (?:nebyla nalezena|nenalezena|neexistuje)|oldal nem található|sayfa bulunamadı/,
  /η σελίδα δεν βρέθηκε|страница не (?:найдена|существует)|сторінк[ау] не знайдено/,
  /الصفحة غير موجودة|הדף לא נמצא|ไม่พบหน้า|không tìm thấy trang|halaman tidak ditemukan/,
  /ページ(?:が|は)(?:見つかり|存在しません)|页面(?:不存在|未找到|找不到)|頁面不存在/,
  /找不到[该此您]?(?:页面|頁面|網頁|网页)|페이지를 찾을 수 없/,
])

const loginWords = anyOf('i', [
  /\b(?:log|sign) ?in to (?:continue|view|access|see|read)/,
  /(?:must|need to|have to) (?:be logged in|log in|sign in)/,
  /melden sie sich (?:bitte )?an\b|müssen sich (?:anmelden|einloggen)|bitte (?:anmelden|einloggen)/,
  /connectez-vous pour|inici(?:a|ar) sesión para|accedi per|faça login para|log in om/,
  /войдите,? чтобы|请先?登录|ログインしてください|로그인이 필요/,
])

function parkedNote(page: Page, facts: PageFacts): string | undefined {
  if (facts.prose + facts.linked > 800 || page.status >= 400) return undefined
  const host = URL.parse(page.url)?.hostname.replace(/^www\./, '') ?? ''
  const pageText = [facts.title, ...facts.headings, ...facts.blocks].join('\n').toLowerCase()
  const isForSale = saleWords.test(pageText) || (host !== '' && pageText.includes(`${host} is for sale`))
  const isParked = (code = '') => parking.test(code)
  // A link to a parking service does not indicate a parked domain.
  const loadsParking = () => facts.elements.some((node) => isParked(attribute(facts.tree, node, attr.src)))
  if (!isForSale && !facts.code.some((code) => isParked(code)) && !loadsParking()) return undefined
  return 'The domain seems to be parked or for sale; this is not the page of a site.'
}

/** A page with a success status may state that it was not found (soft 404). */
function notFoundNote(page: Page, facts: PageFacts): string | undefined {
  if (page.status >= 400 || facts.prose > 800) return undefined
  if (![facts.title, ...facts.headings].some(isNotFoundHeading)) return undefined
  return `The page says that it was not found, although the server answered ${page.status}.`
}

function loginNote(page: Page, facts: PageFacts): string | undefined {
  if (page.status >= 400) return undefined
  const isRedirectedToLogin = loginPath.test(pathOf(page.url)) && !loginPath.test(pathOf(page.requestedUrl))
  const isLoginWall =
    (isRedirectedToLogin && facts.prose < 800) ||
    (facts.passwords > 0 && facts.prose < 500) ||
    (facts.prose < 300 && facts.blocks.some((block) => loginWords.test(block)))
  if (!isLoginWall) return undefined
  return 'The page asks its visitors to log in; what was requested may lie behind that.'
}

const pathOf = (url: string) => URL.parse(url)?.pathname ?? ''
const loginPath = /\/(?:users\/|accounts?\/)?(?:log[_-]?in|sign[_-]?in|sso|auth)(?:[/.]|$)/i

/** A different request would rarely change these errors. */
const errorNotes = new Map([
  [401, 'The server answered 401: it wants its visitors to log in.'],
  [403, 'The server answered 403: it does not let this visitor see the page.'],
  [407, 'The server answered 407: a proxy wants its users to log in.'],
  [429, 'The server answered 429: it was asked too often.'],
])

export type PageClassification =
  | { kind: 'good'; notes: string[] }
  /** `isCertain`: the main content is certainly missing. `forward`: target of a page that only redirects. */
  | { kind: 'needs-browser'; reason: string; isCertain: boolean; forward?: string }
  | { kind: 'blocked'; reason: string }

/**
 * - `read-if-good`: the requested parts are read only if the page is good, because another attempt may return
 *   a better one
 * - `read-unless-redirect`: they are read unless the page only redirects, because this is the last attempt
 */
export type ClassifyMode = 'none' | 'read-if-good' | 'read-unless-redirect'

export function classifyPage(page: Page, content: Content): PageClassification {
  const blocked = challengeInHeaders(page)
  if (blocked !== undefined) return { kind: 'blocked', reason: blocked }
  const kind = getPageKind(page).name
  if (kind === 'binary') return good(errorNotes.get(page.status))
  if (kind !== 'html') {
    const reason = challengeInText(page, content.rawHtml())
    return reason === undefined ? good(errorNotes.get(page.status)) : { kind: 'blocked', reason }
  }
  const classification = classifyHtml(page, content)
  if (classification.kind !== 'needs-browser' || page.text === undefined) return classification
  return good(`Even in a browser, ${classification.reason}.`)
}

function classifyHtml(page: Page, content: Content): PageClassification {
  if (page.text === undefined && content.selectsUnreadFrames()) {
    const reason = 'includeTags names a frame, and only a browser opens one'
    return { kind: 'needs-browser', reason, isCertain: true }
  }
  if (isConsentRedirect(page)) return { kind: 'needs-browser', reason: consentReason, isCertain: true }
  const facts = readPageSignals(content.tree())
  if (facts.hasEnoughProse) return good(errorNotes.get(page.status))
  const blocked = challengeInPage(page, facts) ?? challengeInText(page, content.rawHtml())
  if (blocked !== undefined) return { kind: 'blocked', reason: blocked }
  const parkedPageNote = parkedNote(page, facts)
  if (parkedPageNote !== undefined) return good(parkedPageNote)
  const reason = isConsentWall(facts) ? consentReason : emptyShell(facts, page)
  if (reason !== undefined) {
    const forward = reason === forwardReason ? facts.refresh : undefined
    return { kind: 'needs-browser', reason, isCertain: true, ...(forward === undefined ? {} : { forward }) }
  }
  const pageNote = notFoundNote(page, facts) ?? loginNote(page, facts) ?? errorNotes.get(page.status)
  if (pageNote !== undefined) return good(pageNote)
  const likelyReason = likelyShell(facts, page)
  if (likelyReason !== undefined) return { kind: 'needs-browser', reason: likelyReason, isCertain: false }
  const { prose, linked, around, noscript, media } = facts
  const hasNoContent = prose + linked + around + noscript.length + media === 0
  return good(hasNoContent ? 'The page has no text.' : undefined)
}

const good = (note: string | undefined): PageClassification => ({
  kind: 'good',
  notes: note === undefined ? [] : [note],
})

const consentReason = 'the page asks for consent to cookies before it shows anything else'

function isConsentRedirect(page: Page): boolean {
  const [host, requested] = [hostOf(page.url), hostOf(page.requestedUrl)]
  return host !== requested && /^(?:consent|guce|cmp|privacy-?gate|myprivacy)\./.test(host)
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''

function isConsentWall(facts: PageFacts): boolean {
  if (!facts.controls.some((control) => acceptLabels.test(control))) return false
  let [consentLength, otherLength] = [0, 0]
  for (const block of facts.blocks) {
    if (consentWords.test(block)) consentLength += textLength(block)
    else otherLength += textLength(block)
  }
  for (const block of facts.blocksAround) if (consentWords.test(block)) consentLength += textLength(block)
  return consentLength >= 80 && otherLength + facts.linked < Math.min(200, consentLength) && facts.media < 3
}

const acceptLabels = anyOf('i', [
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

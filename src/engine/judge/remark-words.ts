import { anyOf } from './any-of.ts'

/** Whether a text in lower case offers the domain it stands on. */
export const offersDomain = (text: string) => saleWords.test(text)

/** Whether code, or where something is loaded from, is that of a service that fills unused domains. */
export const isOfParking = (code: string) => parking.test(code)

/** Whether a title or heading, or one part of it, is nothing but the news that there is no such page. */
export function saysNotFound(heading: string): boolean {
  const parts = heading.split(/\s[|–—·:»-]\s|[|»]/)
  return parts.some((part) => part.length <= 80 && notFound.test(part.trim()))
}

export const asksToLogIn = (text: string) => loginWords.test(text)

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

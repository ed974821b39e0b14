/**
 * What a page says while its content is still to come, in the languages of most pages, as the source of a pattern without
 * regard to case: for the judge of fetched pages, and for scripts of ours inside open ones.
 */
export const loadingWords = [
  ...['loading', 'please wait', 'just a (?:moment|second)', 'one moment', 'fetching', 'initiali[sz]ing'],
  ...['wird geladen', 'lädt', 'lade(?:n)? ', 'bitte warten', 'einen moment', 'chargement', 'patientez'],
  ...['cargando', 'espere', 'un momento', 'carregando', 'aguarde', 'caricamento', 'attendere'],
  ...['laden', 'even geduld', 'laddar', 'vänta', 'indlæser', 'laster', 'vent litt', 'ladataan', 'odota'],
  ...['ładowanie', 'wczytywanie', 'proszę czekać', 'načít', 'betöltés', 'se încarcă', 'yükleniyor'],
  ...['φόρτωση', 'загрузк', 'загружа', 'подождите', 'завантаження', 'memuat', 'đang tải', 'กำลังโหลด'],
  ...['読み込み中', 'ロード中', '加载中', '正在加载', '載入中', '로딩', '불러오는 중'],
  ...['جار(?:ٍ|ي)? (?:ال)?تحميل', 'טוען'],
].join('|')

/** Names of elements that stand for content still to come, likewise. */
export const placeholderNames = String.raw`skeleton|shimmer|spinner|(?:^|[\s_-])(?:pre)?loader(?:$|[\s_-])|(?:^|[\s_-])loading(?:$|[\s_-])`

const spoken = new RegExp(`^[^\\p{L}]{0,3}(?:${loadingWords})`, 'iu')

/** Whether a short text only says that something is still to come. */
export function isLoadingText(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= longestNotice && spoken.test(trimmed)
}

/** A notice is no longer. */
const longestNotice = 120

/** Source of a pattern for texts that pages show while they load; also used in injected scripts. */
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

export const placeholderNames = String.raw`skeleton|shimmer|spinner|(?:^|[\s_-])(?:pre)?loader(?:$|[\s_-])|(?:^|[\s_-])loading(?:$|[\s_-])`

const loadingPattern = new RegExp(`^[^\\p{L}]{0,3}(?:${loadingWords})`, 'iu')

export function isLoadingText(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= maxMessageLength && loadingPattern.test(trimmed)
}

const maxMessageLength = 120

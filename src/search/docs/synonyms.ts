import type { Language } from '../../reading/text/languages.ts'
import { fold } from '../../reading/text/words.ts'

/** Words that users of such services use for the same thing. Each line is read in both directions. */
const groups = [
  'js javascript script',
  'empty blank nothing missing',
  'image picture photo',
  'login password cookie profile',
  'auth authentication authorization unauthorized key',
  'disable off deactivate without',
  'enable on activate',
  'site website domain',
  'large largest big bigger size huge',
  'delete remove erase forget clear purge',
  'cancel stop abort kill',
  'price cost charge billing pay credit',
  'database db postgres postgresql sqlite sql',
  'docker container podman',
  'setting configuration config configure variable environment env option',
  'crash kill die restart survive',
  'limit maximum max quota cap most restrict',
  'throttle rate',
  'popup dialog banner overlay consent',
  'ad advertisement',
  'llm gpt ai openai chatgpt model',
  'ollama openai anthropic claude gemini model',
  'ocr scan scanned recognition',
  'upgrade update migrate migration',
  'chrome chromium browser headless',
  'webhook callback notification notify',
  'ssl tls https certificate',
  'pii personal redact anonymize mask gdpr privacy',
  'block blocked captcha bot',
  'wait delay sleep pause',
  'mobile phone smartphone',
  'concurrency parallel simultaneous concurrent',
  'memory ram megabyte mb',
  'cache cached stale fresh',
  'country location geo region',
  'install setup deploy',
  'intranet localhost private internal local lan',
  's3 bucket minio storage blob',
  'monitor metrics prometheus observability',
  'change diff difference track',
  'structured schema extract json',
  'sitemap map',
  'discard skip exclude ignore',
  'depth deep level',
  'regex pattern glob',
  'mp3 audio recording sound',
  'pdf document file',
  'word docx office excel xlsx spreadsheet',
  'key token credential apikey',
  'account team tenant user organisation',
  'session browser remote',
  'cookie storage profile',
  'reproduce replay',
  'header agent',
  'menu navigation footer boilerplate',
  'error failure fail failed',
  'slow performance fast speed latency',
  'retry attempt again',
  'url link address',
  'duplicate deduplicate same similar',
  'expire retention kept keep lifetime',
  'summary summarise summarize',
  'logo brand branding colour color font',
  'result answer response output',
  'health healthy alive ready readiness liveness',
  'instance installation service server process',
  'send sent transmit leave',
  'job run ran task call request',
  'piece chunk split segment',
  'vector embedding rag retrieval',
  'short brief tldr summary',
  'table row column csv spreadsheet',
  'schedule cron periodic recurring interval',
  'offline airgap disconnected',
  'backup restore copy',
  'queue wait pending stuck',
  'history activity recent log',
]

let made: { stem: Language['stem']; terms: Map<string, string[]> } | undefined

/** Terms of other words for the same. */
export function synonymsOf(term: string, { stem }: Language): string[] {
  if (made?.stem !== stem) made = { stem, terms: termsOf((word) => fold(stem(word))) }
  return made.terms.get(term) ?? []
}

function termsOf(termOf: (word: string) => string): Map<string, string[]> {
  const terms = new Map<string, string[]>()
  for (const group of groups) {
    const same = group.split(' ').map(termOf)
    for (const term of same) terms.set(term, [...(terms.get(term) ?? []), ...same])
  }
  return terms
}

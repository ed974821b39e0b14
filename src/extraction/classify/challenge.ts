import type { Page } from '../../content/page.ts'
import { writtenAttributes } from '../../content/tree/tree.ts'
import { anyOf, type PageFacts } from './page-facts.ts'

/** A service that stands between a site and its visitors, and what its pages are made of. */
interface Guard {
  name: string
  /** Found in attributes and scripts. */
  markup: RegExp
  /**
   * The longest text beside which the marker is believed, for an ordinary answer and for a refusal. It is
   * short for what the same service also puts into the pages that it lets through.
   */
  most: number
  /** Usually 1500. */
  maxWhenRefused?: number
}

const guards: Guard[] = [
  {
    name: 'Cloudflare',
    markup: anyOf('', [
      /\b_cf_chl_opt\b|__cf_chl_\w*tk|cf-browser-verification|["'\s=]cf-(?:challenge|please-wait)/,
      /\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate/,
    ]),
    most: 1500,
    maxWhenRefused: 2000,
  },
  // The same page also tells of servers that are down, with other codes.
  { name: 'Cloudflare', markup: /\bcf-error-details\b|block_headline/, most: -1, maxWhenRefused: 2000 },
  { name: 'DataDome', markup: /\b(?:ct|geo)\.captcha-delivery\.com/, most: 300 },
  { name: 'HUMAN', markup: /\bid\s*=\s*["']?px-captcha|_pxBlockedUrl|\/captcha\/captcha\.js/, most: 1000 },
  { name: 'Imperva', markup: /_Incapsula_Resource\?[^"'\s]{0,500}incident_id=/i, most: 600 },
  { name: 'Imperva', markup: /\/_Incapsula_Resource\?|onProtectionInitialized/, most: 60 },
  { name: 'Akamai', markup: /\bsec-(?:if-)?cpt-(?:container|if)\b|\bbm-verify\b/, most: 600 },
  {
    name: 'AWS WAF',
    markup: /\bAwsWaf(?:Integration|Captcha)|\bgokuProps\b|captcha-sdk\.awswaf\.com/,
    most: 200,
  },
  { name: 'Kasada', markup: /\bKPSDK\b|x-kpsdk-/, most: 60 },
  { name: 'Sucuri', markup: /\bsucuri_cloudproxy_js\b/, most: 600 },
  { name: 'DDoS-Guard', markup: /\/\.well-known\/ddos-guard\/|data-ddg-/, most: 300 },
  { name: 'Anubis', markup: /\banubis_(?:challenge|version)\b/, most: 1500 },
  { name: 'Fastly', markup: /\/_fs-ch-\w+\//, most: 300 },
]

/** What a text says to a visitor who is taken for a program. */
const botWords = anyOf('iu', [
  /(?:unusual|suspicious|automated|bot) (?:traffic|activity|requests?|access|queries|behaviou?r)/,
  /(?:not|are|you(?:'|’)re|be) an? (?:ro)?bot\b/,
  /you(?:'|’)?(?:re| are) (?:a |really )?human\b/,
  /human verification|security check|checking your browser|you have been blocked|press (?:&|and) hold/,
  /your (?:ip|access)\b[^.]{0,30} (?:has been|is|was) (?:temporarily )?(?:blocked|banned|limited)/,
  /blocked by (?:network )?security/,
  /ungewöhnliche[rn]? (?:Datenverkehr|Aktivität)|automatisierte[rn]? (?:Anfragen|Zugriffe?)/,
  /kein Roboter|Sicherheitsüberprüfung/,
  /trafic inhabituel|requêtes automati(?:sées|ques)|pas un robot|activité suspecte/,
  /tráfico inusual|no (?:eres|es|soy) un robot|actividad sospechosa/,
  /traffico (?:insolito|anomalo)|non sei un robot|tráfego incomum|não é um robô|atividade suspeita/,
  /не робот|подозрительн\p{L}{1,5} (?:активность|трафик|запрос)|необычн\p{L}{1,5} трафик/u,
  /人机验证|安全验证|访问异常|异常(?:流量|访问)|滑动验证/,
  /ロボットではありません|通常と異なるトラフィック|로봇이 아닙니다|비정상적인 (?:접근|트래픽)/,
])

/** A title or heading that is nothing but the demand to prove oneself. */
const demands = anyOf('i', [
  /^just a moment$|^attention required! \| cloudflare$|^checking your browser.{0,80}$|^ddos-guard$/,
  /^robot or human$|^are you (?:a )?(?:robot|human)$|^making sure you(?:'|’)re not a bot$/,
  /^(?:please )?verify(?:ing)? (?:that )?you(?:'|’)?(?:re| are) (?:a )?human$/,
  /^pardon our interruption$|^access to this page has been denied$|^sorry, you have been blocked$/,
  /^(?:human|bot|security) verification$|^(?:vercel )?security check(?:point)?$|^人机验证$|^安全验证$/,
])

/** Captchas in attributes and scripts. */
const captchas = anyOf('i', [
  /\bg-recaptcha\b|\bh-captcha\b|\bcf-turnstile\b|recaptcha\/(?:api|enterprise)|hcaptcha\.com/,
  /challenges\.cloudflare\.com\/turnstile|geetest|arkoselabs|funcaptcha/,
  /\bcaptcha\b[^"']{0,200}\.(?:jpe?g|png|gif)/,
  /\b(?:id|name|class|action|src)\s*=\s*["']?[^"'\s>]{0,200}captcha/,
])

/** What the answer says before its body is read. */
export function challengeInHeaders({ status, headers }: Page): string | undefined {
  if (headers['cf-mitigated'] === 'challenge') return refusedBy('Cloudflare')
  if (/^(?:challenge|captcha)/i.test(headers['x-amzn-waf-action'] ?? '')) return refusedBy('AWS WAF')
  if (headers['x-vercel-mitigated'] === 'challenge') return refusedBy('Vercel')
  // A status that no standard knows, by which one network turns programs away.
  if (status === 999) return refusedBy('LinkedIn')
  if (!refusals.has(status)) return undefined
  if (headers['x-sucuri-block'] !== undefined) return refusedBy('Sucuri')
  if (headers['x-kpsdk-ct'] !== undefined || headers['x-kpsdk-r'] !== undefined) return refusedBy('Kasada')
  if (headers['x-dd-b'] !== undefined || /^datadome/i.test(headers.server ?? '')) return refusedBy('DataDome')
  return undefined
}

/** A refusal without markup, as programs are given it. */
export function challengeInText({ status, headers }: Page, text: string): string | undefined {
  if (!refusals.has(status) || text.length > 2000) return undefined
  if (/\bcaptcha-delivery\.com\//.test(text)) return refusedBy('DataDome')
  if (/^error code: 10\d\d\b/.test(text) && headers.server === 'cloudflare') return refusedBy('Cloudflare')
  return botWords.test(text) ? askedForProof : undefined
}

/**
 * Markers are looked for in the markup alone, never in what a page says, and on pages with little to say:
 * the same guards put scripts into the pages that they let through, and people write about them.
 */
export function challengeInPage(page: Page, facts: PageFacts): string | undefined {
  const isRefused = refusals.has(page.status)
  const text = facts.prose + facts.linked + facts.around
  if (facts.isPlenty || (!isRefused && text > 1500)) return undefined
  const attributes = facts.elements.map((node) => writtenAttributes(facts.tree, node))
  const markup = [...attributes, ...facts.code].join('\n')
  for (const guard of guards) {
    if (text > (isRefused ? (guard.maxWhenRefused ?? 1500) : guard.most)) continue
    if (guard.markup.test(markup)) return refusedBy(guard.name)
  }
  if (isRefused && facts.blocks.some((block) => akamaiReference.test(block))) return refusedBy('Akamai')
  if (facts.prose < 400 && facts.blocks.some((block) => f5Words.test(block))) return refusedBy('F5')
  return isChallenge(facts, markup, isRefused) ? askedForProof : undefined
}

const askedForProof = 'the site asks its visitors to prove that they are human'
const refusedBy = (guard: string) => `the site refuses the visit or puts a check before it (${guard})`

/** Answers that refuse a visitor, or put them off. */
const refusals = new Set([401, 403, 405, 406, 407, 429, 503])

/** The number on the pages by which Akamai turns visitors away. */
const akamaiReference = /Reference\s#\d+\.[\da-f]+\.\d+\.[\da-f]+|errors\.edgesuite\.net/

/** On a page that comes with status 200. */
const f5Words = /The requested URL was rejected\. Please consult with your administrator/

/** A demand by no guard we know. Without a refusal, the words alone prove nothing. */
function isChallenge(facts: PageFacts, markup: string, isRefused: boolean): boolean {
  const isHeaded = [facts.title, ...facts.headings].some((heading) =>
    demands.test(heading.replace(/[\s.…!?]+$/, '')),
  )
  if (facts.prose > 1500 || !(isHeaded || facts.blocks.some((block) => botWords.test(block)))) return false
  if (isRefused) return true
  // A contact form has its captcha beside other fields.
  if (facts.linked > 300 || facts.prose > 1000 || facts.fields > 0) return false
  return (isHeaded && facts.scripts > 0) || captchas.test(markup)
}

import type { Page } from '../../content/page.ts'
import type { PageFacts } from './page-facts.ts'

/** Answers that refuse a visitor, or put them off. */
const refusals = new Set([401, 403, 405, 406, 407, 429, 503])

export const isRefusal = (status: number) => refusals.has(status)

/** What the answer says before its body is read. */
export function challengeInHeaders({ status, headers }: Page): string | undefined {
  if (headers['cf-mitigated'] === 'challenge') return reason('Cloudflare')
  if (/^(?:challenge|captcha)/i.test(headers['x-amzn-waf-action'] ?? '')) return reason('AWS WAF')
  if (headers['x-vercel-mitigated'] === 'challenge') return reason('Vercel')
  // A status that no standard knows, by which one network turns programs away.
  if (status === 999) return reason('LinkedIn')
  if (!isRefusal(status)) return undefined
  if (headers['x-sucuri-block'] !== undefined) return reason('Sucuri')
  if (headers['x-kpsdk-ct'] !== undefined || headers['x-kpsdk-r'] !== undefined) return reason('Kasada')
  if (headers['x-dd-b'] !== undefined || /^datadome/i.test(headers.server ?? '')) return reason('DataDome')
  return undefined
}

/** A refusal without markup, as programs are given it. */
export function challengeInText({ status, headers }: Page, text: string): string | undefined {
  if (!isRefusal(status) || text.length > 2000) return undefined
  if (/\bcaptcha-delivery\.com\//.test(text)) return reason('DataDome')
  if (/^error code: 10\d\d\b/.test(text) && headers.server === 'cloudflare') return reason('Cloudflare')
  return botWords.test(text) ? unnamed : undefined
}

/**
 * Markers are looked for in the markup alone, never in what a page says, and on pages with little to say:
 * the same guards put scripts into the pages that they let through, and people write about them.
 */
export function challengeInPage(page: Page, facts: PageFacts): string | undefined {
  const isRefused = isRefusal(page.status)
  const text = facts.prose + facts.linked + facts.around
  if (facts.isPlenty || (!isRefused && text > 1500)) return undefined
  const markup = [...facts.attributes, ...facts.code].join('\n')
  for (const guard of guards) {
    const most = isRefused ? guard.mostWhenRefused : guard.most
    if (text <= most && guard.markup.test(markup)) return reason(guard.name)
  }
  if (isRefused && facts.blocks.some((block) => akamaiReference.test(block))) return reason('Akamai')
  if (facts.prose < 400 && facts.blocks.some((block) => f5Words.test(block))) return reason('F5')
  const heading = [facts.title, ...facts.headings].find((text) => titles.test(text))
  const says = facts.blocks.some((block) => botWords.test(block)) || heading !== undefined
  if (facts.prose > 1500 || !says) return undefined
  if (isRefused) return unnamed
  if (facts.linked > 300 || facts.prose > 1000) return undefined
  if (heading !== undefined && facts.scripts > 0 && facts.fields === 0) return unnamed
  return captchas.test(markup) && facts.fields === 0 ? unnamed : undefined
}

/** The number on the pages by which Akamai turns visitors away. */
const akamaiReference = /Reference\s#\d+\.[\da-f]+\.\d+\.[\da-f]+|errors\.edgesuite\.net/

/** On a page that comes with status 200. */
const f5Words = /The requested URL was rejected\. Please consult with your administrator/

const unnamed = 'the site asks its visitors to prove that they are human'
const reason = (guard: string) => `the site refuses the visit or puts a check before it (${guard})`

interface Guard {
  name: string
  markup: RegExp
  /** The longest text beside which the marker is believed, for an ordinary answer and for a refusal. */
  most: number
  mostWhenRefused: number
}

const guards: Guard[] = [
  {
    name: 'Cloudflare',
    markup:
      /\b_cf_chl_opt\b|__cf_chl_\w*tk|cf-browser-verification|\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate|["'\s=]cf-(?:challenge|please-wait)/,
    most: 1500,
    mostWhenRefused: 2000,
  },
  // The same page also tells of servers that are down, with other codes.
  { name: 'Cloudflare', markup: /\bcf-error-details\b|block_headline/, most: -1, mostWhenRefused: 2000 },
  {
    name: 'DataDome',
    markup: /\bct\.captcha-delivery\.com|geo\.captcha-delivery\.com/,
    most: 300,
    mostWhenRefused: 1500,
  },
  {
    name: 'HUMAN',
    markup: /\bid\s*=\s*["']?px-captcha|_pxBlockedUrl|\/captcha\/captcha\.js/,
    most: 1000,
    mostWhenRefused: 1500,
  },
  {
    name: 'Imperva',
    markup: /_Incapsula_Resource\?[^"'\s]{0,500}incident_id=/i,
    most: 600,
    mostWhenRefused: 1500,
  },
  {
    name: 'Imperva',
    markup: /\/_Incapsula_Resource\?|onProtectionInitialized/,
    most: 60,
    mostWhenRefused: 1500,
  },
  {
    name: 'Akamai',
    markup: /\bsec-(?:if-)?cpt-(?:container|if)\b|\bbm-verify\b/,
    most: 600,
    mostWhenRefused: 1500,
  },
  {
    name: 'AWS WAF',
    markup: /\bAwsWaf(?:Integration|Captcha)|\bgokuProps\b|captcha-sdk\.awswaf\.com/,
    most: 200,
    mostWhenRefused: 1500,
  },
  { name: 'Kasada', markup: /\bKPSDK\b|x-kpsdk-/, most: 60, mostWhenRefused: 1500 },
  { name: 'Sucuri', markup: /\bsucuri_cloudproxy_js\b/, most: 600, mostWhenRefused: 1500 },
  { name: 'DDoS-Guard', markup: /\/\.well-known\/ddos-guard\/|data-ddg-/, most: 300, mostWhenRefused: 1500 },
  { name: 'Anubis', markup: /\banubis_(?:challenge|version)\b/, most: 1500, mostWhenRefused: 1500 },
  { name: 'Fastly', markup: /\/_fs-ch-\w+\//, most: 300, mostWhenRefused: 1500 },
]

/** A title or heading that is nothing but the demand. */
const titles =
  /^(?:just a moment|attention required! \| cloudflare|robot or human|are you (?:a )?(?:robot|human)|pardon our interruption|(?:please )?verify(?:ing)? (?:that )?you(?:'|’)?(?:re| are) (?:a )?human|human verification|bot verification|security (?:check|verification|checkpoint)|vercel security checkpoint|checking your browser.{0,80}|access to this page has been denied|making sure you(?:'|’)re not a bot|sorry, you have been blocked|ddos-guard|人机验证|安全验证)[\s.…!?]*$/i

const captchas =
  /\bg-recaptcha\b|\bh-captcha\b|\bcf-turnstile\b|recaptcha\/(?:api|enterprise)|hcaptcha\.com|challenges\.cloudflare\.com\/turnstile|geetest|arkoselabs|funcaptcha|\bcaptcha\b[^"']{0,200}\.(?:jpe?g|png|gif)|\b(?:id|name|class|action|src)\s*=\s*["']?[^"'\s>]{0,200}captcha/i

const botPhrases = [
  '(?:unusual|suspicious|automated|bot) (?:traffic|activity|requests?|access|queries|behaviou?r)',
  "(?:not|are|you(?:'|’)re|be) an? (?:ro)?bot\\b",
  "(?:that |if )?you(?:'|’)?(?:re| are) (?:a |really )?human\\b",
  'human verification|security check|checking your browser|you have been blocked|press (?:&|and) hold',
  'your (?:ip|access)\\b[^.]{0,30} (?:has been|is|was) (?:temporarily )?(?:blocked|banned|limited)|blocked by (?:network )?security',
  'ungewöhnliche[rn]? (?:Datenverkehr|Aktivität)|automatisierte[rn]? (?:Anfragen|Zugriffe?)|kein Roboter|Sicherheitsüberprüfung',
  'trafic inhabituel|requêtes automati(?:sées|ques)|pas un robot|activité suspecte',
  'tráfico inusual|no (?:eres|es|soy) un robot|actividad sospechosa',
  'traffico (?:insolito|anomalo)|non sei un robot',
  'tráfego incomum|não é um robô|atividade suspeita',
  'не робот|подозрительн\\p{L}{1,5} (?:активность|трафик|запрос)|необычн\\p{L}{1,5} трафик',
  '人机验证|安全验证|访问异常|异常(?:流量|访问)|滑动验证|ロボットではありません|通常と異なるトラフィック|로봇이 아닙니다|비정상적인 (?:접근|트래픽)',
]
const botWords = new RegExp(botPhrases.join('|'), 'iu')

import type { Page } from '../../content/page.ts'
import { attributesSource } from '../../content/tree/tree.ts'
import { anyOf, type PageFacts } from './page-facts.ts'

interface ProtectionService {
  name: string
  markup: RegExp
  /** The markup counts up to this text length. It is low if the service adds the markup to pages that it allows. */
  maxTextLength: number
  maxWhenRefused?: number
}

const protectionServices: ProtectionService[] = [
  {
    name: 'Cloudflare',
    markup: anyOf('', [
      /\b_cf_chl_opt\b|__cf_chl_\w*tk|cf-browser-verification|["'\s=]cf-(?:challenge|please-wait)/,
      /\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate/,
    ]),
    maxTextLength: 1500,
    maxWhenRefused: 2000,
  },
  // The same template also reports server outages, with other status codes.
  {
    ...{ name: 'Cloudflare', markup: /\bcf-error-details\b|block_headline/ },
    ...{ maxTextLength: -1, maxWhenRefused: 2000 },
  },
  { name: 'DataDome', markup: /\b(?:ct|geo)\.captcha-delivery\.com/, maxTextLength: 300 },
  {
    name: 'HUMAN',
    markup: /\bid\s*=\s*["']?px-captcha|_pxBlockedUrl|\/captcha\/captcha\.js/,
    maxTextLength: 1000,
  },
  { name: 'Imperva', markup: /_Incapsula_Resource\?[^"'\s]{0,500}incident_id=/i, maxTextLength: 600 },
  { name: 'Imperva', markup: /\/_Incapsula_Resource\?|onProtectionInitialized/, maxTextLength: 60 },
  { name: 'Akamai', markup: /\bsec-(?:if-)?cpt-(?:container|if)\b|\bbm-verify\b/, maxTextLength: 600 },
  {
    name: 'AWS WAF',
    markup: /\bAwsWaf(?:Integration|Captcha)|\bgokuProps\b|captcha-sdk\.awswaf\.com/,
    maxTextLength: 200,
  },
  { name: 'Kasada', markup: /\bKPSDK\b|x-kpsdk-/, maxTextLength: 60 },
  { name: 'Sucuri', markup: /\bsucuri_cloudproxy_js\b/, maxTextLength: 600 },
  { name: 'DDoS-Guard', markup: /\/\.well-known\/ddos-guard\/|data-ddg-/, maxTextLength: 300 },
  { name: 'Anubis', markup: /\banubis_(?:challenge|version)\b/, maxTextLength: 1500 },
  { name: 'Fastly', markup: /\/_fs-ch-\w+\//, maxTextLength: 300 },
]

const botTexts = anyOf('iu', [
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

const challengeHeadings = anyOf('i', [
  /^just a moment$|^attention required! \| cloudflare$|^checking your browser.{0,80}$|^ddos-guard$/,
  /^robot or human$|^are you (?:a )?(?:robot|human)$|^making sure you(?:'|’)re not a bot$/,
  /^(?:please )?verify(?:ing)? (?:that )?you(?:'|’)?(?:re| are) (?:a )?human$/,
  /^pardon our interruption$|^access to this page has been denied$|^sorry, you have been blocked$/,
  /^(?:human|bot|security) verification$|^(?:vercel )?security check(?:point)?$|^人机验证$|^安全验证$/,
])

const captchaMarkup = anyOf('i', [
  /\bg-recaptcha\b|\bh-captcha\b|\bcf-turnstile\b|recaptcha\/(?:api|enterprise)|hcaptcha\.com/,
  /challenges\.cloudflare\.com\/turnstile|geetest|arkoselabs|funcaptcha/,
  /\bcaptcha\b[^"']{0,200}\.(?:jpe?g|png|gif)/,
  /\b(?:id|name|class|action|src)\s*=\s*["']?[^"'\s>]{0,200}captcha/,
])

export function challengeInHeaders({ status, headers }: Page): string | undefined {
  if (headers['cf-mitigated'] === 'challenge') return blockedBy('Cloudflare')
  if (/^(?:challenge|captcha)/i.test(headers['x-amzn-waf-action'] ?? '')) return blockedBy('AWS WAF')
  if (headers['x-vercel-mitigated'] === 'challenge') return blockedBy('Vercel')
  // Status 999 is not standardized; LinkedIn uses it to reject bots.
  if (status === 999) return blockedBy('LinkedIn')
  if (!rejectionStatuses.has(status)) return undefined
  if (headers['x-sucuri-block'] !== undefined) return blockedBy('Sucuri')
  if (headers['x-kpsdk-ct'] !== undefined || headers['x-kpsdk-r'] !== undefined) return blockedBy('Kasada')
  if (headers['x-dd-b'] !== undefined || /^datadome/i.test(headers.server ?? '')) return blockedBy('DataDome')
  return undefined
}

export function challengeInText({ status, headers }: Page, text: string): string | undefined {
  if (!rejectionStatuses.has(status) || text.length > 2000) return undefined
  if (/\bcaptcha-delivery\.com\//.test(text)) return blockedBy('DataDome')
  if (/^error code: 10\d\d\b/.test(text) && headers.server === 'cloudflare') return blockedBy('Cloudflare')
  return botTexts.test(text) ? challengeReason : undefined
}

/** The same services add scripts to pages that they allow, and articles mention them, so only short pages count. */
export function challengeInPage(page: Page, facts: PageFacts): string | undefined {
  const isRejected = rejectionStatuses.has(page.status)
  const text = facts.prose + facts.linked + facts.around
  if (!isRejected && text > 1500) return undefined
  const attributes = facts.elements.map((node) => attributesSource(facts.tree, node))
  const markup = [...attributes, ...facts.code].join('\n')
  for (const service of protectionServices) {
    if (text > (isRejected ? (service.maxWhenRefused ?? 1500) : service.maxTextLength)) continue
    if (service.markup.test(markup)) return blockedBy(service.name)
  }
  if (isRejected && facts.blocks.some((block) => akamaiReference.test(block))) return blockedBy('Akamai')
  if (facts.prose < 400 && facts.blocks.some((block) => f5Words.test(block))) return blockedBy('F5')
  return isChallenge(facts, markup, isRejected) ? challengeReason : undefined
}

const challengeReason = 'the site asks its visitors to prove that they are human'
const blockedBy = (service: string) => `the site refuses the visit or puts a check before it (${service})`

const rejectionStatuses = new Set([401, 403, 405, 406, 407, 429, 503])

const akamaiReference = /Reference\s#\d+\.[\da-f]+\.\d+\.[\da-f]+|errors\.edgesuite\.net/

/** Block page of F5, sent with status 200. */
const f5Words = /The requested URL was rejected\. Please consult with your administrator/

/** Without an error status, the text alone does not indicate a challenge of an unknown service. */
function isChallenge(facts: PageFacts, markup: string, isRejected: boolean): boolean {
  const hasChallengeHeading = [facts.title, ...facts.headings].some((heading) =>
    challengeHeadings.test(heading.replace(/[\s.…!?]+$/, '')),
  )
  if (facts.prose > 1500 || !(hasChallengeHeading || facts.blocks.some((block) => botTexts.test(block))))
    return false
  if (isRejected) return true
  // A contact form contains its CAPTCHA among other fields.
  if (facts.linked > 300 || facts.prose > 1000 || facts.fields > 0) return false
  return (hasChallengeHeading && facts.scripts > 0) || captchaMarkup.test(markup)
}

import { anyOf } from './any-of.ts'

/** Whether a text speaks to a visitor who is taken for a program. */
export const speaksToBots = (text: string) => botWords.test(text)

/** Whether a title or heading is nothing but the demand to prove oneself. */
export const isDemand = (heading: string) => demands.test(heading.replace(/[\s.…!?]+$/, ''))

/** Whether a page holds a captcha, by its attributes and scripts. */
export const holdsCaptcha = (markup: string) => captchas.test(markup)

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

const demands = anyOf('i', [
  /^just a moment$|^attention required! \| cloudflare$|^checking your browser.{0,80}$|^ddos-guard$/,
  /^robot or human$|^are you (?:a )?(?:robot|human)$|^making sure you(?:'|’)re not a bot$/,
  /^(?:please )?verify(?:ing)? (?:that )?you(?:'|’)?(?:re| are) (?:a )?human$/,
  /^pardon our interruption$|^access to this page has been denied$|^sorry, you have been blocked$/,
  /^(?:human|bot|security) verification$|^(?:vercel )?security check(?:point)?$|^人机验证$|^安全验证$/,
])

const captchas = anyOf('i', [
  /\bg-recaptcha\b|\bh-captcha\b|\bcf-turnstile\b|recaptcha\/(?:api|enterprise)|hcaptcha\.com/,
  /challenges\.cloudflare\.com\/turnstile|geetest|arkoselabs|funcaptcha/,
  /\bcaptcha\b[^"']{0,200}\.(?:jpe?g|png|gif)/,
  /\b(?:id|name|class|action|src)\s*=\s*["']?[^"'\s>]{0,200}captcha/,
])

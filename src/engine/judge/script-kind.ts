import { attr } from '../../content/tree/names.ts'
import { attribute, type Node, type Tree } from '../../content/tree/tree.ts'
import { anyOf } from './any-of.ts'

/** Whether a script could write the page, only counts or guards its visitors, or holds no code. */
export function scriptKind(tree: Tree, node: Node, code: string): 'writes' | 'counts' | 'holds' {
  const type = attribute(tree, node, attr.type)?.toLowerCase() ?? ''
  if (type !== '' && type !== 'module' && !/(?:java|ecma)script$/.test(type)) return 'holds'
  const source = attribute(tree, node, attr.src)
  if (source !== undefined) return countingSources.test(source) ? 'counts' : 'writes'
  if (code.trim() === '') return 'holds'
  return countingCode.test(code.slice(0, 2000)) ? 'counts' : 'writes'
}

const countingSources = anyOf('i', [
  /googletagmanager|google-analytics|\/gtag|\/ga\.js|cloudflareinsights|plausible|matomo|piwik|hotjar/,
  /segment\.(?:com|io)|facebook\.net|doubleclick|googlesyndication|adsbygoogle|statcounter|clarity\.ms/,
  /umami|usefathom|newrelic|mc\.yandex|hm\.baidu|addthis|sharethis|cookiebot|onetrust|cookieconsent/,
  /email-decode|recaptcha|hcaptcha|turnstile|html5shiv|respond(?:\.min)?\.js/,
])

const countingCode = anyOf('', [
  /\bgtag\s*\(|\bdataLayer\b|\b_gaq\b|GoogleAnalyticsObject|\bfbq\s*\(|\b_paq\b|\bym\s*\(|\bclarity\b/,
  /__CF\$cv\$params|_linkedin_partner_id|\b_hmt\b/,
])

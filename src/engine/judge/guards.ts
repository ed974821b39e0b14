import { anyOf } from './any-of.ts'

/** A service that stands between a site and its visitors, and what its pages are made of. */
export interface Guard {
  name: string
  /** Found in attributes and scripts. */
  markup: RegExp
  /**
   * The longest text beside which the marker is believed, for an ordinary answer and for a refusal. It is
   * short for what the same service also puts into the pages that it lets through.
   */
  most: number
  mostWhenRefused: number
}

export const guards: Guard[] = [
  {
    name: 'Cloudflare',
    markup: anyOf('', [
      /\b_cf_chl_opt\b|__cf_chl_\w*tk|cf-browser-verification|["'\s=]cf-(?:challenge|please-wait)/,
      /\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate/,
    ]),
    most: 1500,
    mostWhenRefused: 2000,
  },
  // The same page also tells of servers that are down, with other codes.
  { name: 'Cloudflare', markup: /\bcf-error-details\b|block_headline/, most: -1, mostWhenRefused: 2000 },
  { name: 'DataDome', markup: /\b(?:ct|geo)\.captcha-delivery\.com/, most: 300, mostWhenRefused: 1500 },
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

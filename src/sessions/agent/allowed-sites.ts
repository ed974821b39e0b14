import { parse } from 'tldts'
import { decodePercent } from '../../platform/url.ts'

export type AllowedSites = ReturnType<typeof findTaskSites>

/** Other sites are only reachable by links: a page may tell the model to open a URL that leaks what it has read. */
export function findTaskSites(startUrl: string | readonly string[], prompt: string) {
  const sites = new Set(
    [startUrl, urlsInText(prompt)]
      .flat()
      .map(siteOf)
      .filter((site) => site !== undefined),
  )
  const includes = (url: string) => sites.has(siteOf(url) ?? '')
  return {
    includes,
    refusal(address: string): string | undefined {
      const url = URL.parse(address)
      if (!url || !/^https?:$/.test(url.protocol)) return 'Only http and https addresses are opened.'
      if (url.username !== '' || url.password !== '') return 'Addresses with a user name are not opened.'
      if (prompt.includes(address)) return undefined
      if (!includes(url.href))
        return `${url.host} is no site of this task (${[...sites].join(', ')}). Follow links of the page instead, if the task asks for it.`
      const embeddedUrl = getEmbeddedUrl(url)
      if (embeddedUrl !== undefined && !includes(embeddedUrl))
        return 'An address that leads on to another site is not opened.'
      return undefined
    },
  }
}

export function siteOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return parse(url.hostname, { allowPrivateDomains: true }).domain ?? url.host
}

const urlPattern =
  /(?<![@\w.-])(?:https?:\/\/[^\s"'<>()[\]{}]+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s"'<>()[\]{}]*)?)/gi

/** Returns the URLs in a text, with or without a scheme; "e.g." and the like are not host names. */
export function urlsInText(prompt: string): string[] {
  return [...prompt.matchAll(urlPattern)]
    .map(([found]) => found.replace(/[.,;:!?]+$/, ''))
    .map((found) => (/^https?:\/\//i.test(found) ? found : `https://${found}`))
    .filter((address) => {
      const host = URL.parse(address)?.hostname ?? ''
      const { isIcann, isIp } = parse(host)
      return isIcann || isIp || host === 'localhost'
    })
}

function getEmbeddedUrl(url: URL): string | undefined {
  const suffix = decodePercent(decodePercent(`${url.pathname}${url.search}${url.hash}`))
  const found = /(https?:)?[\\/]{2}([^\s/\\?#&]+)/i.exec(suffix)
  return found?.[2] === undefined ? undefined : `http://${found[2]}`
}

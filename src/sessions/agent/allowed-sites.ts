import { parse } from 'tldts'

/** The sites of a task: that of its start page, and those that its prompt names. */
export interface AllowedSites {
  holds(url: string): boolean
  /** Why a URL is not opened; undefined if it is allowed. */
  refusal(address: string): string | undefined
}

/**
 * Page text may tell the model to open a URL that leaks what it has read. So the model may only open URLs
 * within the allowed sites. Other sites are only reachable by links of the page itself, whose URLs the model did not write.
 */
export function findTaskSites(startUrl: string | readonly string[], prompt: string): AllowedSites {
  const sites = new Set(
    [startUrl, urlsInText(prompt)]
      .flat()
      .map(siteOf)
      .filter((site) => site !== undefined),
  )
  const holds = (url: string) => sites.has(siteOf(url) ?? '')
  return {
    holds,
    refusal(address) {
      const url = URL.parse(address)
      if (!url || !/^https?:$/.test(url.protocol)) return 'Only http and https addresses are opened.'
      if (url.username !== '' || url.password !== '') return 'Addresses with a user name are not opened.'
      if (prompt.includes(address)) return undefined
      if (!holds(url.href))
        return `${url.host} is no site of this task (${[...sites].join(', ')}). Follow links of the page instead, if the task asks for it.`
      const carried = carriedAddress(url)
      if (carried !== undefined && !holds(carried))
        return 'An address that leads on to another site is not opened.'
      return undefined
    },
  }
}

/** The registrable domain of a URL. Hosts without one are also distinguished by their port. */
export function siteOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return parse(url.hostname, { allowPrivateDomains: true }).domain ?? url.host
}

const written =
  /(?<![@\w.-])(?:https?:\/\/[^\s"'<>()[\]{}]+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s"'<>()[\]{}]*)?)/gi

/** URLs as people write them, with or without a scheme; "e.g." and the like are not names. */
export function urlsInText(prompt: string): string[] {
  return [...prompt.matchAll(written)]
    .map(([found]) => found.replace(/[.,;:!?]+$/, ''))
    .map((found) => (/^https?:\/\//i.test(found) ? found : `https://${found}`))
    .filter((address) => {
      const host = URL.parse(address)?.hostname ?? ''
      const { isIcann, isIp } = parse(host)
      return isIcann || isIp || host === 'localhost'
    })
}

/** Redirectors and translators take another URL as part of their own. */
function carriedAddress(url: URL): string | undefined {
  const rest = decoded(decoded(`${url.pathname}${url.search}${url.hash}`))
  const found = /(https?:)?[\\/]{2}([^\s/\\?#&]+)/i.exec(rest)
  return found?.[2] === undefined ? undefined : `http://${found[2]}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

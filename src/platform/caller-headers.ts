/** Headers of a caller, and the one origin they are meant for. Names are in lower case. */
export interface CallerHeaders {
  home: string
  headers: Record<string, string>
}

/** A request that is about to be sent, by us or by a page. */
export interface Outgoing {
  url: URL
  /** The headers it would have otherwise. */
  headers: Record<string, string>
  /** It requests a whole page or frame, not a subresource. */
  isNavigation: boolean
  method: string
  /** The origin of the requesting document, or of the one that led here; undefined: only the caller. */
  from: string | undefined
}

/**
 * The headers of a request: the one place that decides where headers of a caller are sent, for plain HTTP and for pages in a
 * browser, hop by hop. They may contain secrets, so they are only sent to the origin of the URL that the caller gave.
 * A document of another origin cannot cause them to be attached to its requests to that origin, except by navigating there.
 */
export function withCallerHeaders(caller: CallerHeaders, request: Outgoing): Record<string, string> {
  const own = Object.entries(request.headers)
  const { cookie, referer, ...plain } = caller.headers
  if (!isMeant(caller, request)) {
    // A browser keeps it on a redirect to another origin.
    const isCarried = (name: string, value: string) =>
      is(name, 'referer') && value === referer && request.url.origin !== caller.home
    return Object.fromEntries(own.filter(([name, value]) => !isCarried(name, value)))
  }
  const replaced = new Set([...Object.keys(plain), ...(cookie === undefined ? [] : ['cookie'])])
  const kept = Object.fromEntries(own.filter(([name]) => !replaced.has(name.toLowerCase())))
  const hasReferer = own.some(([name]) => is(name, 'referer'))
  const jar = own.find(([name]) => is(name, 'cookie'))?.[1]
  return {
    ...kept,
    ...plain,
    ...(cookie === undefined ? {} : { cookie: jar ? `${cookie}; ${jar}` : cookie }),
    // The caller's referer applies to the caller's own request; all other requests come from a page.
    ...(referer === undefined || hasReferer || request.from !== undefined ? {} : { referer }),
  }
}

function isMeant({ home }: CallerHeaders, { url, isNavigation, method, from }: Outgoing): boolean {
  if (url.origin !== home) return false
  if (from === undefined || from === home) return true
  // Following a link is harmless; a form or a script of another site would act in the caller's name.
  return isNavigation && method === 'GET'
}

function is(name: string, known: string): boolean {
  return name.toLowerCase() === known
}

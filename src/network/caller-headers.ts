/** Headers that a caller gave, and the one origin they were meant for. Names are in lower case. */
export interface CallerHeaders {
  home: string
  headers: Record<string, string>
}

/** A request that is about to be sent, by us or by a page. */
export interface Outgoing {
  url: URL
  /** What it would be sent with. */
  headers: Record<string, string>
  /** A whole page or frame is asked for, and not a part of one. */
  isNavigation: boolean
  method: string
  /** The origin of the document that asks, or that led here; undefined: nobody but the caller. */
  from: string | undefined
}

/**
 * What a request is sent with: the one place that decides where headers of a caller go, for plain HTTP and for pages in a
 * browser, hop by hop. They may hold secrets, so they go to the origin of the URL that the caller named and to no other,
 * and no document of another origin can have them attached to what it asks of that origin, except by leading there.
 */
export function withCallerHeaders(caller: CallerHeaders, request: Outgoing): Record<string, string> {
  const own = Object.entries(request.headers)
  const { cookie, referer, ...plain } = caller.headers
  if (!isMeant(caller, request)) {
    // A browser carries it along when it is led elsewhere.
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
    // Where the caller says to come from is true of what the caller asks for; all else comes from a page.
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

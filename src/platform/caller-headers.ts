/** Headers of a caller and the only origin that receives them. Names are in lower case. */
export interface CallerHeaders {
  origin: string
  headers: Record<string, string>
}

export interface OutgoingRequest {
  url: URL
  headers: Record<string, string>
  isNavigation: boolean
  method: string
  /** Origin of the requesting document, or of the URL that redirected here; undefined for the caller's own request. */
  from: string | undefined
}

/** Only this function decides, on each hop, who receives caller headers, because they may contain secrets. */
export function withCallerHeaders(caller: CallerHeaders, request: OutgoingRequest): Record<string, string> {
  const requestHeaders = Object.entries(request.headers)
  const { cookie, referer, ...otherHeaders } = caller.headers
  if (!isAllowed(caller, request)) {
    // A browser keeps the caller's referer on a redirect to another origin, so it is removed here.
    const isCallerReferer = (name: string, value: string) =>
      isHeader(name, 'referer') && value === referer && request.url.origin !== caller.origin
    return Object.fromEntries(requestHeaders.filter(([name, value]) => !isCallerReferer(name, value)))
  }
  const replaced = new Set([...Object.keys(otherHeaders), ...(cookie === undefined ? [] : ['cookie'])])
  const remaining = Object.fromEntries(requestHeaders.filter(([name]) => !replaced.has(name.toLowerCase())))
  const hasReferer = requestHeaders.some(([name]) => isHeader(name, 'referer'))
  const siteCookies = requestHeaders.find(([name]) => isHeader(name, 'cookie'))?.[1]
  return {
    ...remaining,
    ...otherHeaders,
    ...(cookie === undefined ? {} : { cookie: siteCookies ? `${cookie}; ${siteCookies}` : cookie }),
    // The caller's referer applies only to the caller's own request. All other requests come from a page.
    ...(referer === undefined || hasReferer || request.from !== undefined ? {} : { referer }),
  }
}

function isAllowed({ origin }: CallerHeaders, { url, isNavigation, method, from }: OutgoingRequest): boolean {
  if (url.origin !== origin) return false
  if (from === undefined || from === origin) return true
  // Following a link is harmless. A form or a script of another site would act with the caller's credentials.
  return isNavigation && method === 'GET'
}

function isHeader(name: string, expected: string): boolean {
  return name.toLowerCase() === expected
}

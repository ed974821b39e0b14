/**
 * Text in which no URL has a user name or a password. Whatever leaves the service for an operator's log or trace collector passes
 * through this: callers put credentials of sites into URLs, and these outlive the call there.
 */
export function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text
  // A password may contain spaces, which only a URL parser distinguishes from the end of the URL.
  const url = URL.parse(text)
  if (url !== null && (url.username !== '' || url.password !== '')) {
    url.username = ''
    url.password = ''
    return url.href
  }
  return text.replace(inUrl, '://').replace(withoutScheme, '')
}

/** No match of it contains a slash after the first ones, so the time grows with the length of the text only. */
const inUrl = /:[/\\]{2,}[^\s/\\?#]*@/g

/** `name:password@host`, which a caller may write instead of a URL. */
const withoutScheme = /^[^\s/\\?#@:]*:[^\s/\\?#]*@/

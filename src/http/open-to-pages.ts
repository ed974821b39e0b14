/**
 * Lets a page of any site call with a key and read the whole answer. A page sees only the headers that are named
 * here, and few that every browser shows anyway.
 */
export const openToPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, retry-after, allow, content-disposition, www-authenticate, mcp-session-id',
}

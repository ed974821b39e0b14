import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type {
  ExecuteRequest,
  GetBrowserByIdResponse,
  GetBrowserResponse,
  PostBrowserExecuteResponse,
  PostBrowserResponse,
  SessionRequest,
} from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

/** Entry of the session list, with fewer fields than a session. */
export type ListedSession = GetBrowserResponse['sessions'][number]
export type Session = GetBrowserByIdResponse
export type Language = NonNullable<ExecuteRequest['language']>
export type RunResult = PostBrowserExecuteResponse

export const browserQueryKey = ['browsers']

export function useSessions() {
  return useQuery({
    queryKey: [...browserQueryKey, 'list'],
    queryFn: async () => (await request<GetBrowserResponse>('GET', '/v2/browser')).sessions,
    refetchOnWindowFocus: true,
  })
}

/** Queries a session. Polls while it is active, because a timeout can end it at any time. */
export function useSession(id: string) {
  return useQuery({
    queryKey: [...browserQueryKey, id],
    queryFn: () => request<Session>('GET', apiPath('/v2/browser/{id}', { id })),
    refetchInterval: (query) => (query.state.data?.status === 'active' ? 15_000 : false),
  })
}

export function useOpenSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SessionRequest) => request<PostBrowserResponse>('POST', '/v2/browser', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: browserQueryKey }),
  })
}

export function useEndSession(id: string) {
  const queries = useQueryClient()
  return async () => {
    await request('DELETE', apiPath('/v2/browser/{id}', { id }))
    await queries.invalidateQueries({ queryKey: browserQueryKey })
  }
}

export function useExecute(id: string) {
  return useMutation({
    mutationFn: (body: ExecuteRequest) =>
      request<PostBrowserExecuteResponse>('POST', apiPath('/v2/browser/{id}/execute', { id }), { body }),
  })
}

/**
 * Returns the live view URL on the origin of the console. The service can have several host names, and the content
 * security policy allows only frames of this origin.
 */
export function toLiveViewPath(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed?.pathname.startsWith('/live/') ? parsed.pathname + parsed.search : undefined
}

/** Adds a scheme to a URL as a user types it. */
export function completeUrl(text: string): string {
  const trimmed = text.trim()
  if (/^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d/.test(trimmed)) return trimmed
  return /^(localhost|127\.|\[::1\])/.test(trimmed) ? `http://${trimmed}` : `https://${trimmed}`
}

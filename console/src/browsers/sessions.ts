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

/** The list says less than the session itself. */
export type ListedSession = GetBrowserResponse['sessions'][number]
export type Session = GetBrowserByIdResponse
export type Language = NonNullable<ExecuteRequest['language']>
export type RunResult = PostBrowserExecuteResponse

export const browserKeys = ['browsers']

export function useSessions() {
  return useQuery({
    queryKey: [...browserKeys, 'list'],
    queryFn: async () => (await request<GetBrowserResponse>('GET', '/v2/browser')).sessions,
    refetchOnWindowFocus: true,
  })
}

/** An open browser ends by its own clock, so that one is asked about now and then, and no other. */
export function useSession(id: string) {
  return useQuery({
    queryKey: [...browserKeys, id],
    queryFn: () => request<Session>('GET', apiPath('/v2/browser/{id}', { id })),
    refetchInterval: (query) => (query.state.data?.status === 'active' ? 15_000 : false),
  })
}

export function useOpenSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: SessionRequest) =>
      request<PostBrowserResponse>('POST', '/v2/browser', { body: order }),
    onSuccess: () => queries.invalidateQueries({ queryKey: browserKeys }),
  })
}

export function useEndSession(id: string) {
  const queries = useQueryClient()
  return async () => {
    await request('DELETE', apiPath('/v2/browser/{id}', { id }))
    await queries.invalidateQueries({ queryKey: browserKeys })
  }
}

export function useExecute(id: string) {
  return useMutation({
    mutationFn: (body: ExecuteRequest) =>
      request<PostBrowserExecuteResponse>('POST', apiPath('/v2/browser/{id}/execute', { id }), { body }),
  })
}

/** The view at the address of this console: the service may be known by several names, and only its own may be framed. */
export function liveViewUrl(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed?.pathname.startsWith('/live/') ? parsed.pathname + parsed.search : undefined
}

/** What a person types for an address. */
export function completeUrl(text: string): string {
  const trimmed = text.trim()
  if (/^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d/.test(trimmed)) return trimmed
  return /^(localhost|127\.|\[::1\])/.test(trimmed) ? `http://${trimmed}` : `https://${trimmed}`
}

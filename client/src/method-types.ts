import type {
  AgentRequest,
  BatchScrapeRequest,
  CrawlRequest,
  ExtractRequest,
  GetCapabilitiesResponse,
  GetTeamActivityResponse,
  GetTeamMeResponse,
  GetTeamUsageResponse,
  MapRequest,
  PostMapResponse,
  PostScrapeInteractRequest,
  PostSearchResponse,
  ScrapeRequest,
  SearchData,
  SearchRequest,
  SessionRequest,
  SupportQuestion,
} from './types.ts'

/** Types of the client methods: requests without their main argument, responses without their envelope. */

export type ScrapeCallOptions = Omit<ScrapeRequest, 'url'>
export type SearchOptions = Omit<SearchRequest, 'query'>
export type MapOptions = Omit<MapRequest, 'url'>
export type CrawlOptions = Omit<CrawlRequest, 'url'>
export type BatchOptions = Omit<BatchScrapeRequest, 'urls'>
export type ExtractOptions = Omit<ExtractRequest, 'urls'>
export type AgentOptions = Omit<AgentRequest, 'prompt'>
export type QuestionOptions = Omit<SupportQuestion, 'question'>
export type InteractOptions = PostScrapeInteractRequest
export type OpenBrowserOptions = SessionRequest

export interface ActivityQuery {
  /** Name of an endpoint, such as scrape or crawl. */
  endpoint?: string
  state?: ActivityCall['state']
  limit?: number
  /** Cursor of the previous page. */
  cursor?: string
}

export type ActivityPage = Omit<GetTeamActivityResponse, 'success'>
export type ActivityCall = GetTeamActivityResponse['data'][number]
export type Capabilities = Omit<GetCapabilitiesResponse, 'success'>
export type MapResult = Omit<PostMapResponse, 'success'>
export type SearchResult = SearchData & Omit<PostSearchResponse, 'success' | 'data'>
export type TeamInfo = GetTeamMeResponse['data']
export type UsageDay = GetTeamUsageResponse['data'][number]

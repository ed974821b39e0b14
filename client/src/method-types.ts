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

/** What the methods take and answer: the requests without their subject, the answers without their envelope. */

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
  /** Such as scrape or crawl. */
  endpoint?: string
  state?: ActivityCall['state']
  limit?: number
  /** Of the page before. */
  cursor?: string
}

export type ActivityPage = Omit<GetTeamActivityResponse, 'success'>
export type ActivityCall = GetTeamActivityResponse['data'][number]
export type Capabilities = Omit<GetCapabilitiesResponse, 'success'>
export type MapResult = Omit<PostMapResponse, 'success'>
export type SearchResult = SearchData & Omit<PostSearchResponse, 'success' | 'data'>
export type TeamFacts = GetTeamMeResponse['data']
export type UsageDay = GetTeamUsageResponse['data'][number]

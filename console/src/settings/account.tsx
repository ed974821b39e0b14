import { Moment } from '../ui/moment.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useCredits, useMe, useModelTokens } from './team-queries.ts'

const numberFormat = new Intl.NumberFormat()

export function Account() {
  const me = useMe()
  const credits = useCredits()
  const tokens = useModelTokens()
  return (
    <section className="panel stack" aria-labelledby="account">
      <h2 id="account">{me.data ? `Team ${me.data.team.name}` : 'Your team'}</h2>
      {credits.error && <ErrorNotice error={credits.error} />}
      {credits.data && (
        <p className="figure">
          {credits.data.unlimited ? 'Unlimited' : numberFormat.format(credits.data.remainingCredits)}{' '}
          <span className="quiet">{credits.data.unlimited ? 'credits' : 'credits left'}</span>
        </p>
      )}
      <dl className="facts">
        {me.data && (
          <>
            <dt>Key</dt>
            <dd>
              <code>{me.data.keyHint ?? 'not required'}</code>{' '}
              {me.data.isOperator && <span className="badge good">operator</span>}
            </dd>
          </>
        )}
        {me.data?.team.zeroDataRetention && (
          <>
            <dt>Data</dt>
            <dd>zero data retention allowed</dd>
          </>
        )}
        {me.data && !me.data.team.searchIndex && (
          <>
            <dt>Search</dt>
            <dd>stored pages are not indexed</dd>
          </>
        )}
        {tokens.data && tokens.data.calls > 0 && (
          <>
            <dt>Model</dt>
            <dd>
              {numberFormat.format(tokens.data.inputTokens + tokens.data.outputTokens)} tokens this month,{' '}
              {numberFormat.format(tokens.data.today)} today
              {tokens.data.todayLimit !== null && ` of ${numberFormat.format(tokens.data.todayLimit)}`}
            </dd>
          </>
        )}
        {credits.data?.billingPeriodEnd && (
          <>
            <dt>Period</dt>
            <dd>
              until <Moment at={credits.data.billingPeriodEnd} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

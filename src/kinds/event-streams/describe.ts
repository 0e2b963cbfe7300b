import type { Description } from '../../model/kind.ts';
import type { LiveEventStream } from '../../service/event-streams/types.generated.ts';

/** `webhook old.example on user.created`, with `disabled` before it if nothing is delivered. */
export function streamSummary({
  subscriptions = [],
  destination,
  status,
}: LiveEventStream): Pick<Description, 'summary' | 'parts'> {
  const lead = `${status === 'disabled' ? 'disabled, ' : ''}${receiverText(destination)}`;
  const parts = subscriptions.map(({ event_type: name }) => ({ name }));
  return parts.length === 0 ? { summary: lead } : { parts: [{ lead: `${lead} on`, parts }] };
}

/** `webhook crm.example`, `eventbridge 123456789012 in us-east-1`, `action 6018…`. */
function receiverText(destination: LiveEventStream['destination']): string {
  const { type, configuration = {} } = destination ?? { type: 'no destination' };
  const { webhook_endpoint: endpoint, aws_account_id: account, aws_region: region, action_id: action } = configuration;
  switch (type) {
    case 'webhook':
      // The rest of an address may have credentials.
      return endpoint !== undefined && URL.canParse(endpoint) ? `webhook ${new URL(endpoint).host}` : 'webhook';
    case 'eventbridge':
      return `eventbridge ${account} in ${region}`;
    default:
      return action === undefined ? type : `action ${action}`;
  }
}

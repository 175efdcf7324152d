import type { ConnectionDraft, FoldState, Tells } from './foldState.ts';
import { dependencyIn, netErrorIn, numberIn, textIn, type NetLogEvent } from './netLogEvent.ts';

/** QUIC sessions and TCP sockets: handshake, 0-RTT, packets, and why they closed. */
export const tellsOfConnections: Tells = {
  'QUIC_SESSION 1': (state, { sourceId, unixMs, params }) =>
    void state.connections.set(sourceId, {
      ...newConnection(sourceId, unixMs),
      kind: 'quic',
      peer: peerIn(params),
      packetsSent: 0,
      packetsReceived: 0,
      packetsLost: 0,
    }),
  'QUIC_SESSION 2': (state, { sourceId, unixMs }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.endUnixMs ??= unixMs;
  },
  'QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0': (state, event) =>
    change(state, event, ({ unixMs }) => ({ readyUnixMs: unixMs })),
  'QUIC_SESSION_ZERO_RTT_STATE 0': (state, event) =>
    change(state, event, ({ params }) => ({ zeroRtt: textIn(params, 'state') })),
  'QUIC_SESSION_PACKET_SENT 0': (state, { sourceId, params }) => {
    const connection = state.connections.get(sourceId);
    if (!connection) return;
    connection.packetsSent = (connection.packetsSent ?? 0) + 1;
    if (params['encryption_level'] === 'ENCRYPTION_ZERO_RTT') connection.zeroRtt ??= 'sent';
  },
  'QUIC_SESSION_PACKET_RECEIVED 0': (state, { sourceId }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.packetsReceived = (connection.packetsReceived ?? 0) + 1;
  },
  'QUIC_SESSION_PACKET_LOST 0': (state, { sourceId }) => {
    const connection = state.connections.get(sourceId);
    if (connection) connection.packetsLost = (connection.packetsLost ?? 0) + 1;
  },
  'QUIC_SESSION_CLOSED 0': closeQuic,
  'TCP_CONNECT 1': (state, { sourceId, unixMs }) =>
    void state.connections.set(sourceId, newConnection(sourceId, unixMs)),
  'TCP_CONNECT 2': (state, event) =>
    change(state, event, ({ unixMs, params }) => {
      if (netErrorIn(params) !== null) return { endUnixMs: unixMs };
      return { peer: textIn(params, 'remote_address'), tcpReadyUnixMs: unixMs, readyUnixMs: unixMs };
    }),
  'SSL_CONNECT 1': (state, event) => change(state, event, () => ({ readyUnixMs: null })),
  'SSL_CONNECT 2': (state, event) =>
    change(state, event, ({ unixMs, params }) => {
      if (netErrorIn(params) !== null) return { endUnixMs: unixMs };
      return { readyUnixMs: unixMs, resumed: params['is_resumed'] === true };
    }),
  'SOCKET_ALIVE 2': (state, event) => change(state, event, ({ unixMs }) => ({ endUnixMs: unixMs })),
  'HTTP2_SESSION_INITIALIZED 0': (state, { sourceId, params }) => {
    const socket = dependencyIn(params);
    if (socket !== null) state.socketOfSession.set(sourceId, socket);
  },
};

const newConnection = (id: number, startUnixMs: number): ConnectionDraft => ({
  id,
  kind: 'tcp',
  peer: null,
  startUnixMs,
  readyUnixMs: null,
  tcpReadyUnixMs: null,
  endUnixMs: null,
  resumed: null,
  zeroRtt: null,
  packetsSent: null,
  packetsReceived: null,
  packetsLost: null,
  close: null,
});

function change(
  state: FoldState,
  event: NetLogEvent,
  changes: (event: NetLogEvent) => Partial<ConnectionDraft>,
): void {
  const connection = state.connections.get(event.sourceId);
  if (connection) Object.assign(connection, changes(event));
}

const peerIn = (params: NetLogEvent['params']): string =>
  `${textIn(params, 'host') ?? ''}:${numberIn(params, 'port') ?? ''}`;

/** Chromium logs the close twice; the first is the one at its time. */
function closeQuic(state: FoldState, { sourceId, unixMs, params }: NetLogEvent): void {
  const connection = state.connections.get(sourceId);
  if (!connection || connection.close) return;
  const code = numberIn(params, 'quic_error') ?? 0;
  connection.close = {
    error: state.constants?.quicErrorNames.get(code) ?? `QUIC error ${code}`,
    details: textIn(params, 'details') ?? '',
    fromPeer: params['from_peer'] === true,
  };
  connection.endUnixMs ??= unixMs;
}

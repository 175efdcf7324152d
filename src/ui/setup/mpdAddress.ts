import { failed, ok, type Result } from '../../shared/result.ts';

/**
 * The absolute address of an MPD as typed. Relative addresses are of this page, a bare host gets https. Only
 * http and https: nothing typed or linked may become `javascript:` or `file:`.
 */
export function mpdAddress(typed: string, pageUrl: string): Result<string> {
  const text = typed.trim();
  if (text === '') return failed('Enter the address of an MPD first.');
  const bareHost = /^[\w-]+(\.[\w-]+)+(:\d+)?\/\S+$/.test(text) && !text.startsWith('media/');
  const url = URL.parse(bareHost ? `https://${text}` : text, pageUrl);
  if (!url) return failed(`“${text}” is not an address.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failed(`The address begins with “${url.protocol}”; an MPD is loaded over https: or http:.`);
  if (url.username !== '' || url.password !== '')
    return failed(
      'The address holds a user name or password: use the request headers under Advanced instead.',
    );
  return ok(url.href);
}

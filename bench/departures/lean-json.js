// Every answer by Express's json() and send().
export function replyWithJson() {
  return false;
}

// Put into every page before anything of its own: with the cookie that `forget` has set, its storage is empty as it begins.
// An empty page of that origin to do it from would cost more than the page itself: the scripts would be compiled anew.
if (self.origin !== "null" && document.cookie.split("; ").includes("forget=1")) {
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = "forget=; path=/; max-age=0";
}

// The drawer for any page: <script type="module" src="…/widget.js"></script> and <paliadin-widget></paliadin-widget>.
export { PaliadinWidget } from "./paliadin/static/js/drawer/paliadin-widget.js";
